//! Why something was not sent, or not found there.

use std::io;
use std::path::PathBuf;

use crate::event::Sequence;
use crate::fault::{Class, Fault, Remedy, Sorted};
use crate::journal::archive::{MoveError, TargetError};
use crate::journal::fault::of_io;
use crate::journal::tlog::{SignError, TlogError};
use crate::journal::{JournalError, ProjectError};
use crate::store::evidence::EvidenceError;
#[cfg(feature = "parquet")]
use crate::stores::exported::folder::ExportError;

pub type Result<T, E = FleetError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum FleetError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Sign(#[from] SignError),
    #[error(transparent)]
    Tlog(#[from] TlogError),
    #[cfg(feature = "parquet")]
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Place(#[from] EvidenceError),
    #[error("a store does not answer: {message}")]
    Asked { message: String },
    #[error("{} is no state of a journal that annals sent there: {what}", path.display())]
    State { path: PathBuf, what: String },
    #[error(
        "{} is of another history of this journal, up to event {at}: a copy of it went on elsewhere (as {machine}), or \
         this one was put back",
        path.display()
    )]
    Forked { path: PathBuf, at: Sequence, machine: String },
    #[error("{} is no memory that annals shared there: {what}", path.display())]
    Shared { path: PathBuf, what: String },
    #[error(
        "{} goes up to event {at}, and this journal ends with {end}: it is an older copy, or was put back",
        path.display()
    )]
    Older { path: PathBuf, at: Sequence, end: Sequence },
    #[error("{} is in the journal's own folder: name another one", path.display())]
    Within { path: PathBuf },
    #[error("the state names not all segments up to the last: {what}")]
    Gap { what: String },
    #[error("nothing was sent there of journal {journal}")]
    NoJournal { journal: String },
    #[error("could not {doing} {}", path.display())]
    Io { doing: &'static str, path: PathBuf, source: io::Error },
}

impl FleetError {
    /// What lies there is not what was sent: not that it is out of reach.
    pub fn is_of_what_lies_there(&self) -> bool {
        match self {
            Self::Move(error) => error.is_other(),
            error => matches!(error, Self::Gap { .. }),
        }
    }
}

impl Fault for FleetError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Target(source) => source.sorted(),
            Self::Move(source) => source.sorted(),
            Self::Project(source) => source.sorted(),
            Self::Journal(source) => source.sorted(),
            Self::Sign(source) => source.sorted(),
            Self::Tlog(source) => source.sorted(),
            #[cfg(feature = "parquet")]
            Self::Export(source) => source.sorted(),
            Self::Place(source) => source.sorted(),
            Self::Within { .. } => Class::Refused.alone(),
            Self::Gap { .. } => Class::Damaged.alone(),
            Self::Older { .. } => Class::Contradicted.alone(),
            Self::Asked { .. } => Class::Findings.with(Remedy::Repair),
            Self::State { .. } => Class::Refused.with(Remedy::ShipAnew),
            Self::Shared { .. } => {
                Class::Refused.with(Remedy::Do("its machine writes it again, with its next sync"))
            }
            Self::Forked { .. } => Class::Refused.with(Remedy::Do(
                "merge the two (annals merge), or send this one to another folder",
            )),
            Self::NoJournal { .. } => Class::Missing.with(Remedy::Do("annals fleet status URL")),
            Self::Io { source, .. } => of_io(source),
        }
    }
}
