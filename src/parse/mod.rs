//! What other programs print, read into values: checks, shells, model replies.

pub mod check;
pub mod content;
pub mod json;
pub mod reply;
pub mod seconds;
pub mod shell;
pub mod tasks;

/// Whether a list, its words parted by blanks, has a word.
pub fn has_word(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let is_blank = |at: Option<&u8>| at.is_none_or(u8::is_ascii_whitespace);
    let Some(first) = word.first() else { return false };
    // Most lists are asked for most words in vain, a few hundred times a command line.
    memchr::memchr_iter(*first, list).any(|at| {
        list[at..].starts_with(word)
            && is_blank(at.checked_sub(1).and_then(|at| list.get(at)))
            && is_blank(list.get(at + word.len()))
            && !word.iter().any(u8::is_ascii_whitespace)
    })
}
