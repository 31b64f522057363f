//! Characters that are written as escapes, of JSON at any depth or of URLs: `\u002d`, `%3D`.

use std::ops::Range;

use crate::redact::view::View;

/// What a search for keywords looks for: `\u00`, and the escapes of URLs that tokens, and what
/// stands around them, are written with.
pub(crate) const KEYWORDS: &[&[u8]] = &[
    b"\\u00", b"%24", b"%7c", b"%2b", b"%2d", b"%2f", b"%3a", b"%3d", b"%40", b"%5f", b"%22",
    b"%26", b"%20",
];

/// How far around an escape is looked.
const AROUND: usize = 256;
/// And from there to a space or a quote.
const FURTHER: usize = 16 << 10;

/// The stretches around escapes, in order and apart; `escapes` in order.
pub(crate) fn stretches(text: &[u8], escapes: &[usize]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'"';
    for at in escapes {
        let to = text.len().min(at + AROUND);
        let last = all.last_mut();
        if last.as_ref().is_some_and(|last| to <= last.end) {
            continue;
        }
        let further = text[to..].iter().take(FURTHER).position(ends);
        let end = to + further.unwrap_or(FURTHER.min(text.len() - to));
        let from = at.saturating_sub(AROUND);
        match last {
            Some(last) if from <= last.end => last.end = end,
            _ => {
                let floor = last.map_or(0, |last| last.end);
                let back = text[floor..from].iter().rev().take(FURTHER).position(ends);
                all.push(from - back.unwrap_or(FURTHER.min(from - floor))..end);
            }
        }
    }
    all
}

/// A stretch of a text without its escapes of printable characters; `None` where it has none.
pub(crate) fn plain(text: &[u8], stretch: &Range<usize>) -> Option<View> {
    let mut view = View::default();
    let mut at = stretch.start;
    let mut copied = at;
    let mut any = false;
    while at < stretch.end {
        let rest = &text[at..stretch.end];
        let escape = match rest[0] {
            b'\\' => unicode(rest),
            b'%' => hexadecimal(&rest[1..]).map(|byte| (byte, 3)),
            _ => None,
        };
        match escape {
            Some((byte, length)) => {
                view.copy(&text[copied..at], copied);
                view.decoded(&[byte], at);
                at += length;
                copied = at;
                any = true;
            }
            None => at += 1,
        }
    }
    view.copy(&text[copied..stretch.end], copied);
    view.end(stretch.end);
    any.then_some(view)
}

/// `\u00XX` behind any number of backslashes, `\/`.
fn unicode(text: &[u8]) -> Option<(u8, usize)> {
    let slashes = text.iter().take(16).take_while(|byte| **byte == b'\\').count();
    let rest = &text[slashes..];
    if rest.first() == Some(&b'/') {
        return Some((b'/', slashes + 1));
    }
    let digits = rest.strip_prefix(b"u00")?;
    Some((hexadecimal(digits)?, slashes + 5))
}

/// The printable character of two hexadecimal digits.
fn hexadecimal(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    matches!(byte, b' '..=b'~').then_some(byte)
}
