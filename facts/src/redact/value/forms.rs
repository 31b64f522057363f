//! A value as it may be written: what a search for it, and for what is kept of it, looks for.

use crate::event::canonical;
use crate::redact::disguise::inner_digits;

/// Shorter forms turn up by chance.
pub const FORM_MIN: usize = 4;

/// How a value stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Written {
    Plain,
    Json,
    Percent,
    Hex,
    Base64,
    Utf16,
    /// Its lines, with something before each.
    Lines,
}

impl Written {
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Json => "json",
            Self::Percent => "percent",
            Self::Hex => "hex",
            Self::Base64 => "base64",
            Self::Utf16 => "utf-16",
            Self::Lines => "in lines",
        }
    }
}

/// The bytes that stand for a value, each once: as it is, escaped in JSON once and twice, of a URL,
/// in hexadecimal digits of either case, in base 64 of either alphabet at each of its three places,
/// and with two bytes a character, those in base 64 and in hexadecimal digits too. Of several lines, all that with
/// either end of a line.
pub fn forms(value: &[u8]) -> Vec<(Vec<u8>, Written)> {
    let mut forms: Vec<(Vec<u8>, Written)> = Vec::new();
    let mut add = |bytes: Vec<u8>, written: Written| {
        if bytes.len() >= FORM_MIN && !forms.iter().any(|(known, _)| *known == bytes) {
            forms.push((bytes, written));
        }
    };
    for value in line_ends(value) {
        of_one(&value, &mut add);
    }
    forms
}

/// The value as it is, and with either end of its lines.
fn line_ends(value: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![value.to_vec()];
    if value.contains(&b'\n') {
        let short: Vec<u8> = String::from_utf8_lossy(value).replace("\r\n", "\n").into_bytes();
        let long = String::from_utf8_lossy(&short).replace('\n', "\r\n").into_bytes();
        // What is no text stays as it is.
        let is_text = std::str::from_utf8(value).is_ok();
        all.extend([short, long].into_iter().filter(|it| is_text && it != value));
    }
    all
}

fn of_one(value: &[u8], add: &mut impl FnMut(Vec<u8>, Written)) {
    add(value.to_vec(), Written::Plain);
    if let Ok(text) = std::str::from_utf8(value) {
        for escape in [in_json, in_ascii_json] {
            let once = escape(text);
            let twice = escape(&once);
            add(once.into_bytes(), Written::Json);
            add(twice.into_bytes(), Written::Json);
        }
    }
    for kept in [is_unreserved, is_kept_in_component, is_kept_in_url, |_| false] {
        for digits in [b"0123456789ABCDEF", b"0123456789abcdef"] {
            let written = of_url(value, kept, digits);
            // As a form sends it.
            let sent = written.iter().map(|byte| if *byte == b' ' { b'+' } else { *byte });
            add(sent.collect(), Written::Percent);
            add(written, Written::Percent);
        }
    }
    for digits in [b"0123456789abcdef", b"0123456789ABCDEF"] {
        let written: Vec<u8> = value.iter().flat_map(|byte| hex(*byte, digits)).collect();
        base64(&written, Written::Base64, add);
        add(written, Written::Hex);
    }
    base64(value, Written::Base64, add);
    if let Ok(text) = std::str::from_utf8(value) {
        for order in [u16::to_le_bytes, u16::to_be_bytes] {
            let wide: Vec<u8> = text.encode_utf16().flat_map(order).collect();
            base64(&wide, Written::Base64, add);
            for digits in [b"0123456789abcdef", b"0123456789ABCDEF"] {
                add(wide.iter().flat_map(|byte| hex(*byte, digits)).collect(), Written::Hex);
            }
            // As a text whose every second character is a zero, with its escapes.
            let escaped = wide.iter().flat_map(|byte| match byte {
                0 => b"\\u0000".to_vec(),
                byte => vec![*byte],
            });
            add(escaped.collect(), Written::Utf16);
            add(wide, Written::Utf16);
        }
    }
}

fn base64(bytes: &[u8], written: Written, add: &mut impl FnMut(Vec<u8>, Written)) {
    for digits in inner_digits(bytes) {
        let of_urls = digits.iter().map(|digit| match digit {
            b'+' => b'-',
            b'/' => b'_',
            digit => *digit,
        });
        add(of_urls.collect(), written);
        add(digits, written);
    }
}

pub(super) fn in_json(text: &str) -> String {
    let mut json = String::new();
    canonical::write_text(text, &mut json);
    json.get(1..json.len() - 1).unwrap_or_default().to_owned()
}

/// With every character beyond ASCII escaped, as many programs write it.
fn in_ascii_json(text: &str) -> String {
    let mut ascii = String::new();
    for one in in_json(text).chars() {
        match one.is_ascii() {
            true => ascii.push(one),
            false => {
                let mut units = [0; 2];
                let units = one.encode_utf16(&mut units);
                units.iter().for_each(|unit| ascii.push_str(&format!("\\u{unit:04x}")));
            }
        }
    }
    ascii
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte)
}

/// What `encodeURIComponent` leaves as it is.
fn is_kept_in_component(byte: u8) -> bool {
    is_unreserved(byte) || b"!*'()".contains(&byte)
}

/// What `encodeURI` leaves as it is.
fn is_kept_in_url(byte: u8) -> bool {
    is_kept_in_component(byte) || b";,/?:@&=+$#".contains(&byte)
}

fn of_url(value: &[u8], kept: fn(u8) -> bool, digits: &[u8; 16]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    for byte in value {
        match kept(*byte) {
            true => out.push(*byte),
            false => {
                out.push(b'%');
                out.extend(hex(*byte, digits));
            }
        }
    }
    out
}

fn hex(byte: u8, digits: &[u8; 16]) -> [u8; 2] {
    [digits[usize::from(byte >> 4)], digits[usize::from(byte & 15)]]
}
