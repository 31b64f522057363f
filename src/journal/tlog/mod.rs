//! The tree over a journal's records as others can check it: tiles, proofs, checkpoints, keys.
//!
//! Recording does not touch it. Whoever asks brings it up to where the journal is on disk, from where it was left:
//! `.annals/tlog` has the tiles as C2SP's tlog-tiles names them, and where it stands. All of it is derived, and a
//! root is believed only where a proof by it holds.

mod against;
mod automatic;
mod key;
mod note;
mod proof;
mod seal;
mod sign;
mod state;
mod tiles;
mod tree;

#[cfg(test)]
mod tests;

use std::io;
use std::path::PathBuf;

use super::JournalError;
use crate::event::Sequence;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::fault;

pub use against::{Held, Signing, hold, signing};
pub use annals_journal_format::tree::Hash;
pub use automatic::{Automatic, Occasion, sign_by_itself, standing};
pub use key::{
    EPOCH_DAYS_MAX, Key, KeyKind, Keys, NAMESPACE, NewKey, PublicKey, Sign, Signed, SshKey, blob,
    generate, is_name,
};
pub use note::{Checkpoint, NOTE_BYTES_MAX, Note, NoteError, Signature, origin};
pub use proof::{CheckedProof, Growth, Proof, check};
pub use seal::{Sealed, is_due, seal};
pub use sign::{SignError, last, sign, take_cosignatures};
pub use tree::Tree;

#[derive(Debug, thiserror::Error)]
pub enum TlogError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{} could not be {did}", path.display())]
    Io { path: PathBuf, did: &'static str, source: io::Error },
    #[error("no tree can be made: {what}")]
    Lost { what: String },
    #[error("@{} is no event of this journal", at.0)]
    NoEvent { at: Sequence },
    #[error("a tree of {size} records was asked for one of {asked}")]
    Beyond { asked: u64, size: u64 },
    #[error("{what}")]
    Refused { what: String },
    #[error("{} is no key: {what}", path.display())]
    Key { path: PathBuf, what: &'static str },
    #[error(transparent)]
    Note(#[from] NoteError),
}

impl Fault for NoteError {
    fn sorted(&self) -> Sorted {
        Class::Refused.alone()
    }
}

impl Fault for TlogError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Journal(error) => error.sorted(),
            Self::Io { source, .. } => fault::of_io(source),
            Self::Lost { .. } => Class::Damaged.with(Remedy::Verify),
            Self::NoEvent { .. } => Class::Missing.alone(),
            Self::Beyond { .. } | Self::Refused { .. } | Self::Key { .. } | Self::Note(_) => {
                Class::Refused.alone()
            }
        }
    }
}
