//! Makes text readable that other JSON writers let pass: lone surrogates and broken UTF-8.

use std::borrow::Cow;

/// JSON that a strict reader takes too.
pub fn readable(json: &str) -> Cow<'_, str> {
    if !json.contains("\\ud") && !json.contains("\\uD") {
        return Cow::Borrowed(json);
    }
    match mended(json.as_bytes()).map(String::from_utf8) {
        Some(Ok(mended)) => Cow::Owned(mended),
        _ => Cow::Borrowed(json),
    }
}

/// `json` with every lone `\uD8xx` or `\uDCxx` escape replaced by `\ufffd` and every byte that is
/// not UTF-8 by U+FFFD; `None` where there was nothing to replace.
///
/// The agent cuts long output by UTF-16 units, so that half of an emoji can be left over.
pub fn mended(json: &[u8]) -> Option<Vec<u8>> {
    let lossy = String::from_utf8_lossy(json);
    let bytes = lossy.as_bytes();
    let mut out: Option<Vec<u8>> =
        matches!(lossy, std::borrow::Cow::Owned(_)).then(|| bytes.to_vec());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        match unit(bytes, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(bytes, at + 6), Some(0xDC00..=0xDFFF)) => {
                at += 12;
            }
            Some(0xD800..=0xDFFF) => {
                // Same length, so offsets in the copy stay those of the original.
                let copy = out.get_or_insert_with(|| bytes.to_vec());
                copy[at..at + 6].copy_from_slice(b"\\ufffd");
                at += 6;
            }
            _ => at += 2,
        }
    }
    out
}

/// The UTF-16 unit that the escape at `at` stands for.
fn unit(bytes: &[u8], at: usize) -> Option<u16> {
    let escape = bytes.get(at..at + 6)?;
    let digits = escape.strip_prefix(b"\\u")?;
    let text = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(text, 16).ok()
}
