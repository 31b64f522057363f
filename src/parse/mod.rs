//! What other programs print, read into values: checks, shells, model replies.

pub mod background;
pub mod change;
pub mod check;
pub mod content;
pub mod json;
pub mod reply;
pub mod seconds;
pub mod shell;
pub mod tasks;
pub mod words;

use std::collections::HashMap;

/// Whether a list, its words parted by blanks, has a word.
pub fn has_word(list: &str, word: &str) -> bool {
    let (list, word) = (list.as_bytes(), word.as_bytes());
    let is_blank = |at: Option<&u8>| at.is_none_or(u8::is_ascii_whitespace);
    let Some(first) = word.first() else { return false };
    // Most lists are asked for most words in vain, a few hundred times a command line.
    memchr::memchr_iter(*first, list).any(|at| {
        is_blank(at.checked_sub(1).and_then(|at| list.get(at)))
            && is_blank(list.get(at + word.len()))
            && list[at..].starts_with(word)
            && !word.iter().any(u8::is_ascii_whitespace)
    })
}

/// The rows of a table by the words of a list that each of them has.
#[derive(Debug)]
pub struct Index<T: 'static>(HashMap<&'static str, Vec<&'static T>>);

impl<T> Index<T> {
    pub fn of(rows: &'static [T], list: impl Fn(&'static T) -> &'static str) -> Self {
        let mut found: HashMap<_, Vec<_>> = HashMap::new();
        for row in rows {
            list(row).split_whitespace().for_each(|it| found.entry(it).or_default().push(row));
        }
        Self(found)
    }

    /// In the table's order.
    pub fn rows(&self, word: &str) -> &[&'static T] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }
}
