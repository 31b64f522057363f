//! Bytes in hexadecimal digits with something between them, in a row or in the rows of a dump.

use std::ops::Range;

/// Fewer bytes in the first row are a time, an address, a version.
const ROW_MIN: usize = 6;
/// What may stand behind a row: the same in characters.
const BESIDE_MAX: usize = 80;

/// Shows every such stretch, and what it says.
pub fn dumps(text: &[u8], mut seen: impl FnMut(Range<usize>, &[u8])) {
    let mut at = 0;
    while at + 3 * ROW_MIN <= text.len() {
        // A space or a sign stands behind every two, four … digits.
        let Some(sign) = text[at..].iter().position(|it| is_between(*it)).map(|it| at + it) else {
            return;
        };
        let digits = text[at..sign].iter().rev().take_while(|it| it.is_ascii_hexdigit()).count();
        let start = sign - digits;
        at = sign + 1;
        if digits == 0 || !digits.is_multiple_of(2) {
            continue;
        }
        let (mut bytes, mut end) = row(text, start);
        if bytes.len() < ROW_MIN {
            continue;
        }
        while let Some(next) = next_row(text, end) {
            let (more, further) = row(text, next);
            if more.is_empty() {
                break;
            }
            bytes.extend(more);
            end = further;
        }
        seen(start..end, &bytes);
        at = end.max(at);
    }
}

fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b':' | b'-')
}

/// The bytes from a place on, and where they end. Two spaces stand in the middle of some programs' rows, and before
/// the characters of others'.
fn row(text: &[u8], start: usize) -> (Vec<u8>, usize) {
    let (mut bytes, mut at, mut end) = (Vec::new(), start, start);
    while let Some(byte) = byte(&text[at..]) {
        bytes.push(byte);
        (at, end) = (at + 2, at + 2);
        match &text[at..] {
            [b' ', b' ', rest @ ..] if is_lone(rest) && text[start..].get(2) == Some(&b' ') => {
                at += 2
            }
            [sign, ..] if is_between(*sign) => at += 1,
            _ => {}
        }
    }
    (bytes, end)
}

/// Whether a byte stands by itself.
fn is_lone(text: &[u8]) -> bool {
    byte(text).is_some() && text.get(2).is_none_or(|it| !it.is_ascii_alphanumeric())
}

fn byte(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    u8::try_from(digit(0)? * 16 + digit(1)?).ok() // always, of two digits
}

/// Where the row below begins, behind what numbers it.
fn next_row(text: &[u8], end: usize) -> Option<usize> {
    let rest = &text[end..text.len().min(end + BESIDE_MAX)];
    let plain = memchr::memchr(b'\n', rest).map(|it| it + 1);
    let escaped = memchr::memmem::find(rest, b"\\n").map(|it| it + 2);
    let below = end + plain.into_iter().chain(escaped).min()?;
    let digits = text[below..].iter().take_while(|it| it.is_ascii_hexdigit()).count();
    let behind = &text[below + digits..];
    let colon = usize::from(digits >= 4 && behind.first() == Some(&b':'));
    let spaces = behind[colon..].iter().take(4).take_while(|it| **it == b' ').count();
    // Digits that more than one space or a colon stand behind are the number of a row.
    let is_number = digits >= 4 && (colon > 0 || spaces > 1);
    Some(match is_number {
        true => below + digits + colon + spaces,
        false if digits == 0 => below + spaces,
        false => below,
    })
}
