//! Everything a command can fail with, sorted: its exit code and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use super::Exit;
use super::record::LineError;
use super::sort::{self, Sorted};
use super::sql::AskError;
use crate::agents::import::ImportError;
use crate::agents::import::salvage::SalvageError;
use crate::agents::settings::SettingsError;
use crate::debug::DebugError;
use crate::execution::query::QueryError;
use crate::execution::replay::WalkError;
use crate::grounding::gate::GateError;
use crate::grounding::tools::ToolError;
use crate::journal::bundle::BundleFailure;
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

pub type Result<T, E = CliError> = std::result::Result<T, E>;

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

    pub fn exit(&self) -> Exit {
        self.sorted().0
    }

    /// What to do about it, where something can be said.
    pub fn hint(&self) -> Option<&'static str> {
        self.sorted().1
    }

    fn sorted(&self) -> Sorted {
        match self {
            Self::Output(_) | Self::Input(_) | Self::Tool(_) => (Exit::Io, None),
            Self::Io { source, .. } => (Exit::Io, sort::io(source).1),
            Self::Line(_) => (Exit::Usage, Some("annals record --help lists the fields")),
            Self::Project(error) => sort::project(error),
            Self::Record(error) => sort::record(error),
            Self::Import(error) => sort::import(error),
            Self::Settings(error) => sort::settings(error),
            Self::Phases(error) => sort::phases(error),
            Self::Prompt(error) => sort::prompt(error),
            Self::Memory(error) => sort::memory(error),
            Self::Repo(error) => sort::repo(error),
            Self::Context(error) => sort::context(error),
            Self::Debug(error) => sort::debug(error),
            Self::Query(error) => sort::query(error),
            Self::CatchUp(error) => sort::catch_up(error),
            Self::Feed(error) => sort::journal(error),
            Self::Gate(error) => sort::journal(error),
            Self::Journal(error) => sort::journal(error),
            Self::Story(error) => sort::journal(error),
            Self::Walk(error) => sort::walk(error),
            Self::Ask(error) => error.sorted(),
            Self::Store(error) => sort::store(error),
            Self::Repair(error) => sort::repair(error),
            Self::Publish(error) => sort::publish(error),
            Self::Transcript(error) => sort::transcript(error),
            Self::Evidence(error) => sort::evidence(error),
            Self::Bundle(error) => sort::bundle(error),
            Self::FromStore(error) => sort::from_store(error),
            Self::Source(SourceError::Io { source, .. }) => sort::io(source),
            Self::Source(SourceError::Lost(_)) => (Exit::Damaged, None),
            Self::Source(SourceError::Foreign { .. }) => (Exit::Usage, Some(sort::FOREIGN)),
            Self::Source(_) => {
                let way = "annals init in the project's folder; --dir also takes a journal's folder, a .seg, \
                           a bundle";
                (Exit::Usage, Some(way))
            }
            Self::At { .. } => (Exit::Usage, Some("annals log, without --at, lists what there is")),
            Self::InSeveral { .. } => (Exit::Usage, Some("name one of them: --dir DIR")),
            Self::Time(_)
            | Self::Reply(_)
            | Self::Script(_)
            | Self::NoNode { .. }
            | Self::TooLarge { .. }
            | Self::Unquoted { .. }
            | Self::Refused { .. }
            | Self::NamedTwice { .. }
            | Self::NotEmpty { .. }
            | Self::Exists { .. } => (Exit::Usage, None),
            Self::NoCargo { .. } => {
                let way =
                    "the Rust toolchain (https://rustup.rs); everything else works without it";
                (Exit::Io, Some(way))
            }
            Self::Claim { .. } => (Exit::Findings, None),
            Self::StoredJson { .. } => (Exit::Findings, Some("annals rebuild")),
        }
    }
}
