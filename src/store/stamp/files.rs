//! What a store's files are on the disk.

use std::io::Read;
use std::path::Path;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::number_of;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;
use crate::store::Identity;
use crate::store::lock::beside;

/// What SQLite keeps a store in. An empty `-wal` comes and goes with whoever reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Files {
    pub store: Identity,
    pub wal: Option<Identity>,
    /// What another program was about to change, which whoever opens the store takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<Identity>,
    /// A number of the store's bytes, where its times say no more than the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<u64>,
}

impl Files {
    /// `None` where there is no store.
    pub fn of(store: &Path) -> Option<Self> {
        let look = |path: &Path| fs::symlink_metadata(path).map(|about| Identity::of(&about));
        let at = store;
        let store = look(at).ok()?; // gone, or not to be looked at
        let beside = |end: &str| look(&beside(at, end)).ok().filter(|it| it.bytes > 0); // most have none
        // Opened by root, SQLite gives it the store's owner each time, which is no change.
        let wal = beside("-wal").map(Identity::by_its_bytes);
        let content = if store.is_of_a_second() { content(at) } else { None };
        Some(Self { store, wal, journal: beside("-journal").filter(|_| is_hot(at)), content })
    }

    /// A number that no other files have, nor these at another time.
    pub fn number(&self) -> u64 {
        number_of(format!("{self:?}").as_bytes())
    }
}

/// Whether SQLite would take back what a store's `-journal` says: one that begins with a zero is done with.
fn is_hot(store: &Path) -> bool {
    let journal = enclosure::open(&beside(store, "-journal"), OpenHow::Read);
    let mut first = [0];
    // What cannot be read may be one.
    journal.and_then(|mut file| file.read_exact(&mut first)).is_err() || first != [0]
}

/// A number of a file's bytes; none of what cannot be read, which is then as it was where its times are.
fn content(path: &Path) -> Option<u64> {
    let mut file = enclosure::open(path, OpenHow::Read).ok()?; // told by who opens it to read
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut file, &mut hasher).ok()?; // as above
    Some(u64::from_le_bytes(*hasher.finalize().as_bytes().first_chunk()?))
}

#[cfg(test)]
mod tests;
