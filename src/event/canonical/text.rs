//! JSON strings: read with every escape, written with the fewest (RFC 8785, section 3.2.2.2).

use std::fmt::Write as _;

/// Reads the string at the beginning of `source` (at its quote); gives it and its length there.
/// On failure: what is wrong and how many bytes on.
pub(super) fn read(source: &str) -> Result<(String, usize), (&'static str, usize)> {
    let bytes = source.as_bytes();
    let mut value = String::new();
    let mut at = 1;
    let mut plain_from = 1;
    loop {
        match bytes.get(at) {
            None => return Err(("the text ends inside a string", at)),
            Some(b'"') => {
                value.push_str(&source[plain_from..at]);
                return Ok((value, at + 1));
            }
            Some(b'\\') => {
                value.push_str(&source[plain_from..at]);
                let (character, used) = escape(&bytes[at..]).map_err(|reason| (reason, at))?;
                value.push(character);
                at += used;
                plain_from = at;
            }
            Some(0..=0x1f) => return Err(("a control character inside a string", at)),
            Some(_) => at += 1,
        }
    }
}

fn escape(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    let character = match bytes.get(1) {
        Some(b'"') => '"',
        Some(b'\\') => '\\',
        Some(b'/') => '/',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'u') => return unicode(bytes),
        _ => return Err("an unknown escape"),
    };
    Ok((character, 2))
}

fn unicode(bytes: &[u8]) -> Result<(char, usize), &'static str> {
    const LENGTH: usize = "\\u0000".len();
    let first = unit(bytes).ok_or("a malformed \\u escape")?;
    if let 0xd800..=0xdbff = first
        && let Some(second @ 0xdc00..=0xdfff) = unit(&bytes[LENGTH..])
    {
        let point = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return Ok((char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), 2 * LENGTH));
    }
    // `None` for a lone surrogate only.
    Ok((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), LENGTH))
}

fn unit(bytes: &[u8]) -> Option<u32> {
    let digits = bytes.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
}

/// Writes a string in quotes.
pub fn write(value: &str, out: &mut String) {
    out.push('"');
    let mut plain_from = 0;
    for (at, byte) in value.bytes().enumerate() {
        let escaped = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            0x08 => "\\b",
            0x09 => "\\t",
            0x0a => "\\n",
            0x0c => "\\f",
            0x0d => "\\r",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&value[plain_from..at]);
        plain_from = at + 1;
        match escaped.is_empty() {
            // Writing to a String cannot fail.
            true => drop(write!(out, "\\u{byte:04x}")),
            false => out.push_str(escaped),
        }
    }
    out.push_str(&value[plain_from..]);
    out.push('"');
}
