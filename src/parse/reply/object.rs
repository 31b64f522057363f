//! Finding a JSON object in a text that is not all JSON.

use serde::de::IgnoredAny;

use super::limits::OBJECTS_TRIED_MAX;

/// Where the object that begins at this `{` ends: behind its `}`. Braces in strings do not count.
///
/// `None` where it does not end. What lies between need not be JSON.
pub fn end_of(text: &str, open: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' => depth += 1,
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// The outermost objects of a text, each from its `{` to behind its `}`, as far as they are looked
/// for. What is in braces and no JSON at all is left out, what lies in it is looked at.
pub fn objects(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let (mut from, mut tried) = (0, 0);
    std::iter::from_fn(move || {
        while tried < OBJECTS_TRIED_MAX {
            tried += 1;
            let open = from + text[from..].find('{')?;
            match end_of(text, open) {
                Some(end) if is_json(&text[open..end]) => {
                    from = end;
                    return Some((open, end));
                }
                _ => from = open + 1,
            }
        }
        None
    })
}

/// Whether a text is JSON by its letters; nothing is built of it, however deep it is.
fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}
