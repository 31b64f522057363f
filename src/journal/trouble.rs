//! What sort of trouble a journal is in: what surfaces turn into exit codes.

use annals_journal_format::bundle::BundleError;
use annals_journal_format::lock::LockError;
use annals_journal_format::reader::ReadError;
use annals_journal_format::salvage::SalvageError;
use annals_journal_format::writer::{AppendError, OpenError};

use super::JournalError;

/// What sort of trouble a journal is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no journal.
    Missing,
    /// Somebody else holds its lock.
    Locked,
    /// It is not what was written.
    Damaged,
    /// It is in a bundle that is not to be believed.
    Bundle,
    /// What was to be done with it cannot be done.
    Refused,
    /// The operating system said no.
    Io,
}

impl JournalError {
    /// What sort of trouble this is.
    pub fn trouble(&self) -> Trouble {
        match self {
            Self::Open { source, .. } => open(source),
            Self::Append { source, .. } => append(source),
            Self::Read { source, .. } => read(source),
            Self::Bundle(BundleError::Source(source)) => read(source),
            Self::Bundle(BundleError::Io { .. }) => Trouble::Io,
            Self::Bundle(BundleError::Fault { .. }) => Trouble::Bundle,
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
