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

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

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

/// Words that are looked for row by row: for no more an index is not worth its making.
const ASKED_FEW: u32 = 64;

/// The rows of a table by the words of a list that each of them has.
#[derive(Debug)]
pub struct Index<T: 'static> {
    table: &'static [T],
    list: fn(&'static T) -> &'static str,
    asked: AtomicU32,
    by_word: OnceLock<HashMap<&'static str, Vec<&'static T>>>,
}

impl<T> Index<T> {
    pub const fn of(table: &'static [T], list: fn(&'static T) -> &'static str) -> Self {
        Self { table, list, asked: AtomicU32::new(0), by_word: OnceLock::new() }
    }

    /// In the table's order.
    pub fn rows<'a>(&'a self, word: &'a str) -> impl Iterator<Item = &'static T> + 'a {
        let by_word = self.by_word.get().or_else(|| {
            let is_asked_often = self.asked.fetch_add(1, Ordering::Relaxed) >= ASKED_FEW;
            is_asked_often.then(|| self.by_word.get_or_init(|| self.made()))
        });
        let found = by_word.and_then(|it| it.get(word)).into_iter().flatten().copied();
        let each = if by_word.is_none() { self.table } else { &[] };
        found.chain(each.iter().filter(move |row| has_word((self.list)(row), word)))
    }

    fn made(&self) -> HashMap<&'static str, Vec<&'static T>> {
        let mut found: HashMap<_, Vec<&T>> = HashMap::new();
        for row in self.table {
            for word in (self.list)(row).split_whitespace() {
                let rows = found.entry(word).or_default();
                if !rows.last().is_some_and(|last| std::ptr::eq::<T>(*last, row)) {
                    rows.push(row);
                }
            }
        }
        found
    }
}
