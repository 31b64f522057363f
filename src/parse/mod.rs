//! What other programs print, read into values: checks, shells, model replies.

pub mod check;
pub mod content;
pub mod reply;
pub mod seconds;
pub mod shell;

/// Whether a list, its words parted by blanks, has a word.
pub fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == word)
}
