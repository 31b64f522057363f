//! Why a tool gave nothing, and why a path cannot be used.

use std::io;
use std::path::PathBuf;

use crate::execution::query::QueryError;
use crate::fault::{Class, Fault, Sorted};
use crate::grounding::gate::{GateError, Refusal};
use crate::journal::RecordError;
use crate::parse::json::FieldError;
use crate::store::FeedError;
use crate::store::catch_up::CatchUpError;
use crate::store::evidence::EvidenceError;

#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    #[error("there is no tool {name:?}: `annals tool list` lists them")]
    Unknown { name: String },
    #[error("{tool}: {source}; `annals tool {tool} --help` lists its arguments")]
    Arguments { tool: &'static str, source: FieldError },
    #[error("{tool}: {what}")]
    Meaning { tool: &'static str, what: String },
    #[error(transparent)]
    Grounding(Refusal),
    #[error("the gate cannot judge, and lets nothing through: {0}")]
    Gate(#[from] GateError),
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error("{path:?} is binary ({bytes} bytes): not shown")]
    Binary { path: String, bytes: u64 },
    #[error("{path:?} is not UTF-8: it can be replaced (file_write), not edited")]
    NotText { path: String },
    #[error("edit {edit} of {path:?}: its old text is not there{hint}")]
    NoMatch { path: String, edit: usize, hint: String },
    #[error(
        "edit {edit} of {path:?}: its old text is there {count} times (lines {lines}): give more of \
         it, or replace_all"
    )]
    Several { path: String, edit: usize, count: usize, lines: String },
    #[error("the pattern {pattern:?} is not one: {why}")]
    Pattern { pattern: String, why: String },
    #[error("{program} is not installed, or not in PATH: {get}")]
    NoProgram { program: &'static str, get: &'static str },
    #[error("{program} could not be run: {source}")]
    Program { program: &'static str, source: io::Error },
    #[error("no Cargo.toml in {path:?} or above it inside the project: name a folder of a crate")]
    NoCrate { path: String },
    #[error("{0}")]
    Graph(QueryError),
    #[error(
        "the graph knows no file {path:?}: index the project with magellan (cargo install magellan)"
    )]
    NotIndexed { path: String },
    #[error(
        "the graph knows no symbol {symbol:?}: look for it with file_search, or index the project \
         with magellan (cargo install magellan)"
    )]
    NoSymbol { symbol: String },
    #[error("there is no project to ask: `annals init` makes one")]
    NoProject,
    #[error("the timeline cannot be read: {source}")]
    CatchUp { source: CatchUpError },
    #[error("the timeline cannot be read: {source}")]
    Stores { source: EvidenceError },
    #[error("the timeline cannot be read: {source}")]
    Feed { source: FeedError },
    #[error("what became of it could not be recorded: {source}")]
    Record { source: RecordError },
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl Fault for ToolError {
    fn sorted(&self) -> Sorted {
        Class::Io.alone()
    }
}

/// What a tool gives.
pub type Result<T, E = ToolError> = std::result::Result<T, E>;

impl ToolError {
    /// Whether the tool did not run: what was asked for is not allowed, or means nothing.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Unknown { .. } | Self::Arguments { .. } | Self::Meaning { .. } => true,
            Self::Grounding(_) | Self::Gate(_) | Self::Pattern { .. } => true,
            Self::Place(error) => error.is_refusal(),
            _ => false,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    #[error("the path is empty: name a file, or `.` for the project's root")]
    Empty,
    #[error("the path is longer than any file's: give one from the project's root")]
    TooLong,
    #[error("the path has a NUL in it: give a file's name")]
    Nul,
    #[error("{path:?} has `..` in it: give the path from the project's root")]
    Parent { path: String },
    #[error("{path:?} is outside the project ({}): tools work inside it", root.display())]
    Outside { path: String, root: PathBuf },
    #[error("{path:?}: {at:?} is a symbolic link, and none is followed: name the file itself")]
    Link { path: String, at: String },
    #[error("{path:?} is {what}: name a file")]
    NotAFile { path: String, what: &'static str },
    #[error("{path:?}: {at:?} is no folder")]
    NotAFolder { path: String, at: String },
    #[error("{path:?} belongs to annals: tools do not change it")]
    Protected { path: String },
    #[error(
        "{path:?} is in {at:?}, whose files say what git or an agent runs: tools do not change it"
    )]
    Commanded { path: String, at: String },
    #[error("{path:?} is read-only: make it writable first (chmod u+w)")]
    ReadOnly { path: String },
    #[error("there is no {path:?}: file_glob lists what there is")]
    NotFound { path: String },
    #[error("{path:?} exists already: change it with file_edit, or replace it with file_write")]
    Exists { path: String },
    #[error("{path:?} was changed by somebody else meanwhile: read it and try again")]
    Changed { path: String },
    #[error("{path:?} has {bytes} bytes; at most {bytes_max} are taken")]
    TooLarge { path: String, bytes: u64, bytes_max: u64 },
    #[error("{path:?} could not be {did}: {source}")]
    Io { path: String, did: &'static str, source: io::Error },
}

impl PlaceError {
    /// Whether nothing was tried: what was asked for is not allowed.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Empty
            | Self::TooLong
            | Self::Nul
            | Self::Parent { .. }
            | Self::Outside { .. }
            | Self::Link { .. }
            | Self::Protected { .. }
            | Self::Commanded { .. } => true,
            Self::NotAFile { what, .. } => *what != "a folder",
            Self::NotAFolder { .. }
            | Self::ReadOnly { .. }
            | Self::NotFound { .. }
            | Self::Exists { .. }
            | Self::Changed { .. }
            | Self::TooLarge { .. }
            | Self::Io { .. } => false,
        }
    }
}
