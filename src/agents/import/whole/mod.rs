//! Logs that are no JSON lines: documents, texts and databases, read from their beginning each time.
//!
//! None is held whole: a reader gives what it has read record by record, each of them bounded.

mod document;
mod held;
mod members;
mod once;
mod outline;
mod rows;
#[cfg(test)]
mod tests;
mod text;

use std::collections::VecDeque;
use std::io;

use super::item::{Item, TranscriptRecord};

pub use document::{Document, flaw_of, read_document};
pub use held::Held;
pub use members::Member;
pub use once::Once;
pub use outline::Outline;
pub use rows::{Rows, RowsLog};
pub use text::{TextLines, read_text};

/// A log that is read from its beginning each time.
pub trait WholeLog: Send {
    /// Reads a little more; `false` at the end.
    fn read(&mut self, out: &mut VecDeque<Item>) -> io::Result<bool>;

    /// Records or lines, and bytes, that were read so far.
    fn place(&self) -> (u64, u64);

    /// Whether its text ended before it should.
    fn is_broken(&self) -> bool {
        false
    }
}

/// What a reader found, as items.
pub fn items(read: Vec<TranscriptRecord>) -> impl Iterator<Item = Item> {
    read.into_iter().map(|record| Item::Record(Box::new(record)))
}
