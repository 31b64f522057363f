//! A journal held against a checkpoint: what exactly holds.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Checkpoint, PublicKey, TlogError, Tree};
use crate::event::{Body, Sequence};
use crate::journal::{JournalReader, Reading, ReplayItem};

/// What a checkpoint says of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// It has every record that the checkpoint vouches for, as they were; of so many that are redacted since, the leaf.
    Contains { size: u64, redacted: u64 },
    /// It ends before.
    Cut { size: u64, found: u64 },
    /// A record is another one, and later ones are as they were; the first such, where it is known.
    Rewritten { at: Option<Sequence> },
    /// From here on all are others.
    Forked { at: Sequence },
    /// It is of another journal.
    OtherJournal,
}

impl Held {
    pub fn is_contained(self) -> bool {
        matches!(self, Self::Contains { .. })
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Contains { .. } => "contains",
            Self::Cut { .. } => "cut",
            Self::Rewritten { .. } => "rewritten",
            Self::Forked { .. } => "forked",
            Self::OtherJournal => "other journal",
        }
    }
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contains { size, redacted: 0 } => {
                write!(f, "contains it: all {size} records are as they were")
            }
            Self::Contains { size, redacted } => {
                let whole = size - redacted;
                write!(f, "contains it: of its {size} records {whole} are as they were, ")?;
                write!(f, "{redacted} redacted, with their leaves as they were")
            }
            Self::Cut { size, found } => {
                write!(f, "cut: it has {found} records, and the checkpoint {size}")
            }
            Self::Rewritten { at: Some(at) } => write!(f, "rewritten at @{}", at.0),
            Self::Rewritten { at: None } => f.write_str("rewritten: its records are others"),
            Self::Forked { at } => write!(f, "forked at @{}: from there on it is another", at.0),
            Self::OtherJournal => f.write_str("other journal: the checkpoint is of another one"),
        }
    }
}

/// Holds every record of a journal against a checkpoint, by its bytes alone. `tiles`: a folder of tiles that may be
/// the ones of the checkpoint; where its root comes out of them, they tell which record is another.
pub fn hold(
    journal: &Path,
    reading: Reading,
    tiles: Option<PathBuf>,
    checkpoint: &Checkpoint,
) -> Result<Held, TlogError> {
    let found = Tree::afresh(journal, reading)?;
    if found.journal() != checkpoint.journal {
        return Ok(Held::OtherJournal);
    }
    let (size, here) = (checkpoint.size, found.size());
    if here >= size && found.root(size)? == checkpoint.root {
        let redacted = found.redacted(size);
        return Ok(Held::Contains { size, redacted });
    }
    let known = tiles.and_then(|folder| Tree::as_kept(&folder));
    let known = known.filter(|it| it.root(size).is_ok_and(|root| root == checkpoint.root));
    let Some(known) = known else {
        return Ok(match here < size {
            true => Held::Cut { size, found: here },
            false => Held::Rewritten { at: None },
        });
    };
    let both = here.min(size);
    let mut differs = None;
    for index in 0..both {
        let same = known.leaf(index)? == found.leaf(index)?;
        match (differs, same) {
            (None, false) => differs = Some(index),
            (Some(first), true) => return Ok(Held::Rewritten { at: Some(found.sequence(first)) }),
            _ => {}
        }
    }
    Ok(match differs {
        None => Held::Cut { size, found: here },
        // The last one alone: nobody can say whether others would have followed.
        Some(first) if first + 1 == both => Held::Rewritten { at: Some(found.sequence(first)) },
        Some(first) => Held::Forked { at: found.sequence(first) },
    })
}

/// What a journal itself tells of the signing of a checkpoint that it contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signing {
    /// It was signed when the journal had no more than this.
    Told { recorded_ms: u64 },
    /// The journal ends there: what would tell of it is not in this copy.
    Ends,
    /// It goes on, and knows of no such signing by this key: it was signed in a copy, or by nobody who recorded it.
    Unknown,
}

/// Whoever signs records it behind the records that were signed.
pub fn signing(
    journal: &Path,
    reading: Reading,
    checkpoint: &Checkpoint,
    key: &PublicKey,
) -> Result<Signing, TlogError> {
    let reader = JournalReader::reading(journal, reading)?;
    let mut found = Signing::Ends;
    for item in reader.replay(Sequence(checkpoint.mark.sequence.0 + 1), None) {
        found = Signing::Unknown;
        // What cannot be read is told by who verifies.
        let Ok(ReplayItem::Event(recorded)) = item else { continue };
        if let Body::CheckpointSigned(it) = &recorded.event.body
            && (it.tree_size, &it.root) == (checkpoint.size, &checkpoint.root)
            && PublicKey::parse(&it.key).is_some_and(|told| key.is(&told))
        {
            return Ok(Signing::Told { recorded_ms: recorded.recorded_ms });
        }
    }
    Ok(found)
}
