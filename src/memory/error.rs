//! Why an operation on branch memory is refused, or fails.

use super::limits::COPIED_RECORDS_MAX;
use crate::event::EventError;
use crate::execution::query::QueryError;
use crate::fault::{CLOSE, Class, Fault, Listing, Remedy, Sorted};
use crate::journal::fault;
use crate::journal::{JournalError, ProjectError};
use crate::memory::store::foreign::ForeignError;
use crate::memory::vectors::EmbedError;
use crate::store::catch_up::CatchUpError;
use crate::store::evidence::EvidenceError;
use crate::store::{FeedError, StoreError};

/// Why an operation on branch memory is refused, or fails. Nothing of it was recorded.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    #[error(
        "{name:?} cannot be the name of a {what}: give 1 to {bytes_max} bytes without control \
         characters"
    )]
    Name { what: &'static str, name: String, bytes_max: usize },
    #[error("the {what}'s name is, or holds, what looks like a secret: names are kept as they are")]
    SecretName { what: &'static str },
    #[error("there is no branch or node {name:?}: fork it first, or name one that is there")]
    NoBranch { name: String },
    #[error("branch {name:?} was not there yet at {at}: give a later moment, or none")]
    NotYet { name: String, at: String },
    #[error(
        "branch {branch:?} is there already, and its parent is {}, not {}: choose another name",
        quoted(parent),
        quoted(asked)
    )]
    OtherParent { branch: String, parent: Option<String>, asked: Option<String> },
    #[error(
        "the chain {} does not lead to {parent:?}, {}: give the ancestors from the root to the parent \
         as they are, or none",
        chained(asked),
        match known.as_slice() {
            [] => "which is not there yet".to_owned(),
            known => format!("whose chain is {}", chained(known)),
        }
    )]
    OtherAncestors { parent: String, known: Vec<String>, asked: Vec<String> },
    #[error("branch {branch:?} is there already: choose another name")]
    BranchExists { branch: String },
    #[error(
        "branch {branch:?} cannot be its own ancestor: give the chain from the root to its parent"
    )]
    OwnAncestor { branch: String },
    #[error("there is no archival record {id}: a search gives the numbers of those there are")]
    NoRecord { id: String },
    #[error(
        "archival record {id} is of branch {owner:?}: {branch:?} sees it, and cannot change it; write \
         a record of its own"
    )]
    ForeignRecord { id: u64, owner: String, branch: String },
    #[error(
        "{what} has {bytes} bytes, and at most {bytes_max} are taken: give less, or a file's name"
    )]
    TooLong { what: &'static str, bytes: usize, bytes_max: usize },
    #[error("{what}: {count} are too many, at most {count_max} are taken")]
    TooMany { what: &'static str, count: usize, count_max: usize },
    #[error("{what} is empty: give a text")]
    Empty { what: &'static str },
    #[error("{scope:?} is no scope: give `all`, `core`, `recall` or `archival`")]
    Scope { scope: String },
    #[error(
        "branch {branch:?} shows {count} records then, and at most {COPIED_RECORDS_MAX} are copied: \
         fork from a later moment of a smaller branch"
    )]
    TooMuchToCopy { branch: String, count: u64 },
    #[error("the {name} event is refused")]
    Event { name: &'static str, source: EventError },
    #[error("memory.db did not take what was decided ({message}): nothing was recorded")]
    Untaken { message: String },
    #[error(transparent)]
    Foreign(#[from] ForeignError),
    #[error(transparent)]
    Embed(EmbedError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    CatchUp(#[from] CatchUpError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
}

impl Fault for MemoryError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::NoBranch { .. } => Class::Missing.with(Remedy::List(Listing::Branches)),
            Self::NoRecord { .. } => Class::Missing.alone(),
            Self::Embed(error) => error.sorted(),
            error if error.is_refusal() => Class::Refused.alone(),
            error if error.is_locked() => Class::Locked.with(CLOSE),
            Self::Project(error) => error.sorted(),
            Self::Query(error) => error.sorted(),
            Self::Store(error) => error.sorted(),
            Self::CatchUp(error) => error.sorted(),
            Self::Untaken { .. } => Class::Io.with(Remedy::Rebuild(Some("memory"))),
            error => fault::of_causes(error),
        }
    }
}

/// What operations on branch memory give.
pub type Result<T, E = MemoryError> = std::result::Result<T, E>;

impl MemoryError {
    /// Whether what was asked for cannot be done as it was asked (exit code 2), rather than that
    /// something failed.
    pub fn is_refusal(&self) -> bool {
        !matches!(
            self,
            Self::Untaken { .. }
                | Self::Embed(_)
                | Self::Project(_)
                | Self::Journal(_)
                | Self::Feed(_)
                | Self::CatchUp(_)
                | Self::Store(_)
                | Self::Query(_)
                | Self::Stores(_)
        )
    }

    /// Whether someone else holds what is needed (exit code 4).
    pub fn is_locked(&self) -> bool {
        match self {
            Self::Store(error) => error.is_locked(),
            Self::CatchUp(error) => error.is_locked(),
            _ => false,
        }
    }
}

/// The root first; of a long chain its two ends.
fn chained(chain: &[String]) -> String {
    let shown = |part: &[String]| {
        let names: Vec<String> = part.iter().map(|name| format!("{name:?}")).collect();
        names.join(" > ")
    };
    match chain.len() {
        ..=8 => shown(chain),
        len => format!("{} > … > {}", shown(&chain[..4]), shown(&chain[len - 4..])),
    }
}

fn quoted(parent: &Option<String>) -> String {
    parent.as_ref().map_or_else(|| "none".to_owned(), |parent| format!("{parent:?}"))
}
