//! Whether a word begins at a place.

/// Whether no word goes on behind a text: its last character is none of a word's, or belongs to an
/// escape that stands for none: `\n` and `\u000a` of JSON at any depth, a terminal's colours.
pub(super) fn ends_a_word(before: &[u8]) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let Some(last) = before.last().filter(|byte| word(byte)) else { return true };
    let escaped = |from_end: usize| {
        before.len().checked_sub(from_end + 1).is_some_and(|at| before[at] == b'\\')
    };
    let unicode = || {
        let digits = before.iter().rev().take(4).filter(|byte| byte.is_ascii_hexdigit());
        digits.count() == 4 && before.len() > 5 && before[before.len() - 5] == b'u' && escaped(5)
    };
    let ends_colour = || matches!(last, b'm' | b'K') && colour(before);
    b"nrtbf0".contains(last) && escaped(1) || unicode() || ends_colour()
}

/// How many bytes from `start` on still belong to an escape that began before it: none of them is a
/// word's, though words have such letters.
pub(super) fn rest_of_escape(text: &[u8], start: usize) -> usize {
    let (before, here) = text.split_at(start.min(text.len()));
    let hex = here.iter().skip(1).take(4).filter(|byte| byte.is_ascii_hexdigit()).count();
    match here.first() {
        Some(b'n' | b'r' | b't') if before.ends_with(b"\\") => return 1,
        Some(b'u') if before.ends_with(b"\\") && hex == 4 => return 5,
        _ => (),
    }
    let digits = here.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
    let ends = matches!(here.get(digits), Some(b'm' | b'K'));
    if ends && colour(&text[..start + digits + 1]) { digits + 1 } else { 0 }
}

/// How long the escape of a colour is that a text begins with.
pub(super) fn colour_length(text: &[u8]) -> usize {
    let text = &text[..text.len().min(32)];
    let end = text.iter().position(|byte| *byte == b'm').map_or(0, |at| at + 1);
    let escape = matches!(text.first(), Some(b'\x1b' | b'\\'));
    if escape && end > 0 && colour(&text[..end]) { end } else { 0 }
}

/// Whether a text ends in what sets a colour: `ESC [ 1 ; 32 m`.
fn colour(before: &[u8]) -> bool {
    let digits = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let length = before.iter().rev().skip(1).take(16).take_while(digits).count();
    let Some(before) = before.len().checked_sub(length + 1).map(|at| &before[..at]) else {
        return false;
    };
    let starts = [&b"\x1b["[..], b"u001b[", b"u001B[", b"x1b[", b"033["];
    starts.iter().any(|start| before.ends_with(start))
}
