//! Reading journals laid down byte by byte: whole, wounded, alone, and under a writer's hands.

mod ahead;
mod bad_disk;
mod bookmarks;
mod whole;
mod wounded;
mod wounds;
pub mod written;

use std::path::Path;

use super::*;
use crate::scan::Finding;
use crate::storage::FsStorage;
use crate::units::Sequence;

/// What a forward walk over a journal gave.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Seen {
    pub entries: Vec<OwnedEntry>,
    pub ends: Vec<CommitEnd>,
    pub findings: Vec<Finding>,
}

impl Seen {
    pub fn sequences(&self) -> Vec<u64> {
        self.entries.iter().map(|entry| entry.sequence.0).collect()
    }

    pub fn take(&mut self, item: Item<'_>) {
        match item {
            Item::Entry(entry) => self.entries.push(entry.into_owned()),
            Item::Commit(end) => self.ends.push(end),
            Item::Finding(finding) => self.findings.push(finding),
        }
    }
}

pub fn open(path: &Path) -> Reader<FsStorage> {
    Reader::open(FsStorage, path).unwrap()
}

pub fn forward(reader: &Reader<FsStorage>, from: u64) -> Seen {
    let mut seen = Seen::default();
    let mut entries = reader.entries(Sequence(from));
    while let Some(item) = entries.next() {
        seen.take(item.unwrap());
    }
    let mut ahead = Ahead::behind(reader.entries(Sequence(from)), 0);
    let mut again = Seen::default();
    while let Some(item) = ahead.next() {
        again.take(item.unwrap());
    }
    assert_eq!(again, seen, "read by another thread");
    seen
}

pub fn backward(reader: &Reader<FsStorage>, from: Option<u64>) -> Seen {
    let mut seen = Seen::default();
    let mut entries = reader.entries_back(from.map(Sequence));
    while let Some(item) = entries.next() {
        seen.take(item.unwrap());
    }
    seen
}
