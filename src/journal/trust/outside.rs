//! What is remembered of a journal's derived files, outside the project: whoever can write there can write those.

use std::io;
use std::path::Path;

use super::{hex, place, read as read_named, remove};
use crate::journal::{derived_file, enclosure};

/// What of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Where the tree over its records was left.
    Tree,
    /// The last checkpoint that was signed.
    Checkpoint,
    /// The last one that was given to the sink.
    Sent,
    /// The orders of redaction that were carried out in it.
    Orders,
}

impl Kind {
    fn name(self, folder: &Path, journal: &[u8; 16]) -> Option<String> {
        let kind = match self {
            Self::Tree => "tree",
            Self::Checkpoint => "checkpoint",
            Self::Sent => "sent",
            Self::Orders => "orders",
        };
        Some(format!("{kind}-{}-{}", hex(journal), suffix(folder)?))
    }
}

/// What tells a journal's folder in names; `None` where it cannot be found.
pub(super) fn suffix(folder: &Path) -> Option<String> {
    let real = enclosure::real(folder).ok()?; // what cannot be found is not remembered
    Some(suffix_of(&real))
}

/// As [`suffix`], of a folder that no link leads to.
pub(super) fn suffix_of(real: &Path) -> String {
    let place = blake3::derive_key("annals seen place v1", real.as_os_str().as_encoded_bytes());
    hex(&place[..8])
}

pub fn keep(kind: Kind, folder: &Path, journal: &[u8; 16], bytes: &[u8]) -> io::Result<()> {
    let name = kind.name(folder, journal).ok_or(io::ErrorKind::NotFound)?;
    derived_file::replace(&place(&name)?, bytes)
}

pub fn text(kind: Kind, folder: &Path, journal: &[u8; 16]) -> Option<Vec<u8>> {
    read_named(&kind.name(folder, journal)?, 1 << 20)
}

/// A digest.
pub fn read(kind: Kind, folder: &Path, journal: &[u8; 16]) -> Option<[u8; 32]> {
    text(kind, folder, journal)?.try_into().ok() // none of ours
}

pub fn forget(kind: Kind, folder: &Path, journal: &[u8; 16]) -> io::Result<bool> {
    remove(&kind.name(folder, journal).ok_or(io::ErrorKind::NotFound)?)
}
