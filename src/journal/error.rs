//! What can go wrong between events and the journal's bytes.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use annals_journal_format::bundle::BundleError;
use annals_journal_format::lock::LockError;
use annals_journal_format::reader::ReadError;
use annals_journal_format::salvage::SalvageError;
use annals_journal_format::writer::{AppendError, OpenError};

use crate::event::{EventError, Sequence};

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the journal in {} could not be opened for writing", dir.display())]
    Open { dir: PathBuf, source: OpenError },
    #[error("nothing was appended to the journal in {}", dir.display())]
    Append { dir: PathBuf, source: AppendError },
    #[error("the journal in {} could not be read", path.display())]
    Read { path: PathBuf, source: ReadError },
    #[error("nothing was salvaged to {}", to.display())]
    Salvage { to: PathBuf, source: SalvageError },
    #[error(transparent)]
    Bundle(#[from] BundleError),
    #[error("an event cannot be appended: event {at} of the commit, {name}")]
    Event { at: usize, name: &'static str, source: EventError },
    #[error("event {sequence} cannot be decoded")]
    Undecodable { sequence: Sequence, source: EventError },
    #[error("blob {} could not be {did}", path.display())]
    Blob { path: PathBuf, did: &'static str, source: io::Error },
    #[error("{} is to hold large contents, and could not be made a folder", path.display())]
    BlobFolder { path: PathBuf, source: io::Error },
    #[error("blob {} has {found} bytes where {wanted} were recorded", path.display())]
    BlobLength { path: PathBuf, found: u64, wanted: u64 },
    #[error("blob {} does not hold what its name says: its blake3 is {found}", path.display())]
    BlobHash { path: PathBuf, found: String },
    #[error("{len} bytes are those of event {sequence}, which no longer has them")]
    RepeatedLost { sequence: Sequence, len: u64 },
}

impl JournalError {
    /// Whether nothing can be appended as the journal's files are: no repair opens it.
    pub fn is_unwritable(&self) -> bool {
        is_unwritable(self)
    }

    /// The journal's last event, where others were faster and nothing was appended therefore.
    pub fn overtaken(&self) -> Option<Sequence> {
        match self {
            Self::Append { source: AppendError::Overtaken { last }, .. } => Some(Sequence(last.0)),
            _ => None,
        }
    }
}

/// As [`JournalError::is_unwritable`], of an error that may have come of one.
pub fn is_unwritable(error: &(dyn Error + 'static)) -> bool {
    let mut at: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(cause) = at {
        let is_that = matches!(
            cause.downcast_ref(),
            Some(
                OpenError::Header { .. }
                    | OpenError::Misnamed { .. }
                    | OpenError::Foreign { .. }
                    | OpenError::Tail { .. }
            )
        );
        if is_that {
            return true;
        }
        at = cause.source();
    }
    false
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    Missing,
    Locked,
    /// It is not what was written.
    Damaged,
    /// It is in a bundle that is not to be believed.
    Bundle,
    Refused,
    Io,
}

impl JournalError {
    pub fn trouble(&self) -> Trouble {
        match self {
            Self::Open { source, .. } => open(source),
            Self::Append { source, .. } => append(source),
            Self::Read { source, .. } => read(source),
            Self::Bundle(BundleError::Source(source)) => read(source),
            Self::Bundle(BundleError::Io { .. }) => Trouble::Io,
            Self::Bundle(BundleError::Fault { .. }) => Trouble::Bundle,
            Self::Bundle(BundleError::Unsure { .. }) => Trouble::Damaged,
            Self::Bundle(
                BundleError::Exists { .. }
                | BundleError::NotRegular { .. }
                | BundleError::Inside { .. },
            ) => Trouble::Refused,
            Self::Salvage { source: SalvageError::NotEmpty { .. }, .. } => Trouble::Refused,
            Self::Salvage { .. } => Trouble::Io,
            Self::Event { .. } | Self::Undecodable { .. } => Trouble::Refused,
            Self::Blob { .. } | Self::BlobFolder { .. } => Trouble::Io,
            Self::BlobLength { .. } | Self::BlobHash { .. } | Self::RepeatedLost { .. } => {
                Trouble::Damaged
            }
        }
    }
}

fn read(error: &ReadError) -> Trouble {
    match error {
        ReadError::NoSegments { .. } => Trouble::Missing,
        ReadError::TooManySegments { .. } => Trouble::Refused,
        ReadError::Header { .. } => Trouble::Damaged,
        ReadError::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            Trouble::Missing
        }
        _ => Trouble::Io,
    }
}

fn open(error: &OpenError) -> Trouble {
    match error {
        OpenError::NoJournal { .. } => Trouble::Missing,
        OpenError::Exists { .. } => Trouble::Refused,
        OpenError::Header { .. } | OpenError::Misnamed { .. } | OpenError::Foreign { .. } => {
            Trouble::Damaged
        }
        OpenError::Tail { source, .. } => append(source),
        OpenError::Lock(LockError::Io { .. }) | OpenError::Io { .. } => Trouble::Io,
        OpenError::Lock(_) => Trouble::Locked,
    }
}

fn append(error: &AppendError) -> Trouble {
    match error {
        AppendError::Locked { .. } | AppendError::Overtaken { .. } => Trouble::Locked,
        AppendError::TooLarge { .. } | AppendError::ReservedKind { .. } | AppendError::Empty => {
            Trouble::Refused
        }
        _ => Trouble::Io,
    }
}
