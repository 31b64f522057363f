//! What other programs print, read into values: compilers, test runners, shells, model replies.

pub mod content;
pub mod diagnostics;
pub mod reply;
pub mod seconds;
pub mod shell;
pub mod test_report;

/// Whether a list, its words parted by blanks, has a word.
pub fn has_word(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|it| it == word)
}
