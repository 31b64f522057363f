//! Texts that are written as hexadecimal digits, or with two bytes a character.

use super::json_strings::View;
use super::shape::ANY_HEX;

/// Shorter runs of digits are hashes' beginnings and colours.
const HEX_MIN: usize = 24;
/// Fewer characters of two bytes are numbers of a program's.
const WIDE_MIN: usize = 8;

/// What hexadecimal digits say, but for their `0x`, where all of them are and it may be a text.
pub(super) fn hexadecimal(digits: &[u8]) -> Option<Vec<u8>> {
    let digits = digits.strip_prefix(b"0x").or(digits.strip_prefix(b"0X")).unwrap_or(digits);
    let taste = digits.get(..HEX_MIN)?;
    if !decoded(taste).is_some_and(|says| says.iter().all(|byte| is_character(*byte))) {
        return None;
    }
    if !digits.iter().all(|byte| ANY_HEX.has(*byte)) {
        return None;
    }
    decoded(&digits[..digits.len() & !1])
}

fn decoded(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
    digits.chunks_exact(2).map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

fn is_character(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n')
}

/// A text of characters that are two bytes each (UTF-16, the lower first), as it reads.
pub(super) fn narrow(bytes: &[u8]) -> Option<Vec<u8>> {
    let bytes = bytes.strip_prefix(b"\xff\xfe").unwrap_or(bytes);
    let wide = |pair: &[u8]| is_character(pair[0]) && pair.get(1).is_none_or(|high| *high == 0);
    (bytes.len() >= 4 && bytes.chunks(2).all(wide))
        .then(|| bytes.iter().step_by(2).copied().collect())
}

/// Shows every stretch of characters that are two bytes each, in either order, as it reads. Costs a
/// search for a zero where there is none.
pub(super) fn wide(text: &[u8], mut seen: impl FnMut(&View)) {
    let mut from = 0;
    while let Some(zero) = memchr::memchr(0, &text[from..]).map(|at| from + at) {
        let lower_first = zero > from && is_character(text[zero - 1]);
        let start = if lower_first { zero - 1 } else { zero };
        let is_wide = |pair: &&[u8]| match lower_first {
            true => is_character(pair[0]) && pair[1] == 0,
            false => pair[0] == 0 && is_character(pair[1]),
        };
        let count = text[start..].chunks_exact(2).take_while(is_wide).count();
        let end = start + 2 * count;
        if count >= WIDE_MIN {
            let mut view = View::default();
            for at in (start..end).step_by(2) {
                view.decoded(&[text[at] | text[at + 1]], at);
            }
            view.end(end);
            seen(&view);
        }
        from = end.max(zero + 1);
    }
}
