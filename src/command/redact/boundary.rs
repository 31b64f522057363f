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
    b"nrtbf0".contains(last) && escaped(1) || unicode() || *last == b'm' && colour(before)
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
