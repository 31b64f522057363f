//! Everything a command can fail with, sorted: its exit code and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use super::record::LineError;
use super::sql::AskError;
use super::{Exit, sort};
use crate::agents::import::ImportError;
use crate::agents::import::salvage::SalvageError;
use crate::agents::settings::SettingsError;
use crate::debug::DebugError;
use crate::execution::query::QueryError;
use crate::execution::replay::WalkError;
use crate::grounding::gate::GateError;
use crate::grounding::tools::ToolError;
use crate::journal::bundling::BundleFailure;
use crate::journal::{JournalError, ProjectError, RecordError, SourceError};
use crate::memory::MemoryError;
use crate::output::time::TimeError;
use crate::parse::reply::ReplyError;
use crate::phases::prompt::PromptError;
use crate::phases::{PhasesError, ScriptError, StoryError};
use crate::repo::RepoError;
use crate::repo::context::ContextError;
use crate::repo::files::PublishError;
use crate::store::catch_up::CatchUpError;
use crate::store::evidence::EvidenceError;
use crate::store::salvage::StoreSalvageError;
use crate::store::{FeedError, StoreError};
use crate::stores::repair::RepairError;

/// Everything a command can fail with.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error("could not write the output")]
    Output(#[from] io::Error),
    #[error("could not {what} {}", path.display())]
    Io { what: &'static str, path: PathBuf, source: io::Error },
    #[error("could not read standard input")]
    Input(#[source] io::Error),
    #[error(transparent)]
    Time(#[from] TimeError),
    #[error(transparent)]
    Line(#[from] LineError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    CatchUp(#[from] CatchUpError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Transcript(#[from] SalvageError),
    #[error(transparent)]
    Repair(#[from] RepairError),
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    #[error(transparent)]
    Bundle(#[from] BundleFailure),
    #[error("{what}")]
    Refused { what: &'static str },
    #[error("{} was named twice", path.display())]
    NamedTwice { path: PathBuf },
    #[error("--at {text}: {why}")]
    At { text: String, why: String },
    #[error("{reference} is in several journals: {}", journals.join(", "))]
    InSeveral { reference: String, journals: Vec<String> },
    #[error("{} is not empty: name a new folder", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{} is there already: name a new file", path.display())]
    Exists { path: PathBuf },
    #[error(transparent)]
    FromStore(#[from] StoreSalvageError),
    #[error("the tour needs cargo, to check a small crate with, and has none: {why}")]
    NoCargo { why: String },
    #[error("this did not hold: {claim}")]
    Claim { claim: &'static str },
    #[error("a store holds JSON that is none")]
    StoredJson { source: serde_json::Error },
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Ask(#[from] AskError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Gate(#[from] GateError),
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error(transparent)]
    Phases(#[from] PhasesError),
    #[error(transparent)]
    Story(#[from] StoryError),
    #[error(transparent)]
    Prompt(#[from] PromptError),
    #[error(transparent)]
    Script(#[from] ScriptError),
    #[error("{} has more than {bytes_max} bytes, which is all that is read", path.display())]
    TooLarge { path: PathBuf, bytes_max: u64 },
    #[error("--{option} {text:?} has a quote that is not closed, or ends in a backslash")]
    Unquoted { option: &'static str, text: String },
    #[error("no node {node:?} was run here: `annals phases list` shows which were")]
    NoNode { node: String },
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error(transparent)]
    Reply(#[from] ReplyError),
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Context(#[from] ContextError),
    #[error(transparent)]
    Debug(#[from] DebugError),
}

impl CliError {
    /// A failed operation on a path.
    pub fn io(what: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { what, path: path.to_owned(), source }
    }

    /// The reader of our output has gone: that is how `| head` ends, and no failure.
    pub fn is_broken_pipe(&self) -> bool {
        let broken = |source: &io::Error| source.kind() == io::ErrorKind::BrokenPipe;
        match self {
            Self::Output(source) => broken(source),
            Self::Ask(AskError::Output(source)) => broken(source),
            _ => false,
        }
    }

    /// The exit code it stands for.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Output(_) | Self::Input(_) | Self::Io { .. } | Self::Tool(_) => Exit::Io,
            Self::Time(_) | Self::Line(_) | Self::Reply(_) => Exit::Usage,
            Self::Project(error) => sort::project(error).0,
            Self::Record(error) => sort::record(error).0,
            Self::Import(error) => sort::import(error).0,
            Self::Gate(error) => sort::journal(error).0,
            Self::Settings(error) => sort::settings(error).0,
            Self::Phases(error) => sort::phases(error).0,
            Self::Story(error) => sort::journal(error).0,
            Self::Prompt(error) => sort::prompt(error).0,
            Self::Script(_) | Self::NoNode { .. } => Exit::Usage,
            Self::TooLarge { .. } | Self::Unquoted { .. } => Exit::Usage,
            Self::Memory(error) => sort::memory(error).0,
            Self::Repo(error) => sort::repo(error).0,
            Self::Context(error) => sort::context(error).0,
            Self::Debug(error) => sort::debug(error).0,
            Self::Query(error) => sort::query(error).0,
            Self::CatchUp(error) => sort::catch_up(error).0,
            Self::Feed(error) => sort::journal(error).0,
            Self::Journal(error) => sort::journal(error).0,
            Self::Walk(error) => sort::walk(error).0,
            Self::Ask(error) => error.sorted().0,
            Self::Store(error) => sort::store(error).0,
            Self::Repair(error) => sort::repair(error).0,
            Self::Publish(error) => sort::publish(error).0,
            Self::Transcript(error) => sort::transcript(error).0,
            Self::Source(SourceError::Io { source, .. }) => sort::io(source).0,
            Self::Source(SourceError::Lost(_)) => Exit::Damaged,
            Self::Evidence(error) => sort::evidence(error).0,
            Self::Bundle(error) => sort::bundle(error).0,
            Self::FromStore(error) => sort::from_store(error).0,
            Self::Source(_)
            | Self::Refused { .. }
            | Self::NamedTwice { .. }
            | Self::At { .. }
            | Self::InSeveral { .. }
            | Self::NotEmpty { .. }
            | Self::Exists { .. } => Exit::Usage,
            Self::NoCargo { .. } => Exit::Io,
            Self::Claim { .. } | Self::StoredJson { .. } => Exit::Findings,
        }
    }

    /// What to do about it, where something can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Output(_) | Self::Input(_) | Self::Time(_) | Self::Tool(_) => None,
            Self::Line(_) => Some("annals record --help lists the fields"),
            Self::Io { source, .. } => sort::io(source).1,
            Self::Project(error) => sort::project(error).1,
            Self::Record(error) => sort::record(error).1,
            Self::Import(error) => sort::import(error).1,
            Self::Gate(error) => sort::journal(error).1,
            Self::Settings(error) => sort::settings(error).1,
            Self::Phases(error) => sort::phases(error).1,
            Self::Story(error) => sort::journal(error).1,
            Self::Prompt(error) => sort::prompt(error).1,
            Self::Script(_) | Self::NoNode { .. } => None,
            Self::TooLarge { .. } | Self::Unquoted { .. } => None,
            Self::Memory(error) => sort::memory(error).1,
            Self::Repo(error) => sort::repo(error).1,
            Self::Context(error) => sort::context(error).1,
            Self::Debug(error) => sort::debug(error).1,
            Self::Query(error) => sort::query(error).1,
            Self::CatchUp(error) => sort::catch_up(error).1,
            Self::Feed(error) => sort::journal(error).1,
            Self::Journal(error) => sort::journal(error).1,
            Self::Walk(error) => sort::walk(error).1,
            Self::Ask(error) => error.sorted().1,
            Self::Store(error) => sort::store(error).1,
            Self::Repair(error) => sort::repair(error).1,
            Self::Publish(error) => sort::publish(error).1,
            Self::Transcript(error) => sort::transcript(error).1,
            Self::Source(SourceError::Io { source, .. }) => sort::io(source).1,
            Self::Evidence(error) => sort::evidence(error).1,
            Self::Bundle(error) => sort::bundle(error).1,
            Self::FromStore(error) => sort::from_store(error).1,
            Self::Source(SourceError::Foreign { .. }) => Some(sort::FOREIGN),
            Self::Source(SourceError::Lost(_)) => None,
            Self::Source(_) => Some(
                "annals init in the project's folder; --dir also takes a journal's folder, a .seg, a bundle",
            ),
            Self::At { .. } => Some("annals log, without --at, lists what there is"),
            Self::InSeveral { .. } => Some("name one of them: --dir DIR"),
            Self::Refused { .. }
            | Self::Reply(_)
            | Self::NamedTwice { .. }
            | Self::NotEmpty { .. }
            | Self::Exists { .. }
            | Self::Claim { .. } => None,
            Self::NoCargo { .. } => {
                Some("the Rust toolchain (https://rustup.rs); everything else works without it")
            }
            Self::StoredJson { .. } => Some("annals rebuild"),
        }
    }
}
