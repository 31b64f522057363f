//! What a store cannot take as it is.

use crate::event::{ExecutionId, RecordedLoss, Sequence};

/// Why something is an anomaly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnomalyKind {
    /// The tool is not in the list in force (ruling 4): no row in `execution_log.db`.
    UndeclaredTool,
    /// A declared name that cannot be one.
    InvalidToolName,
    /// A closing event without its start: the row's arguments are `{}`.
    LostStart,
    /// A correction of an execution that nobody knows.
    UnknownCorrected,
    /// An event that says other than one before it: the first counts.
    Contradiction,
    /// Arguments or diagnostics that are not the JSON they must be.
    InvalidJson,
    /// Bytes of the journal that are not what was written.
    Lost,
    /// Bytes that were acknowledged and are gone, as an event of the journal tells for ever.
    RecordedLoss,
    /// An event that this build cannot read.
    Undecodable,
    /// Content whose blob is gone.
    LostContent,
    /// A transcript's line that could not be read.
    UnreadableLine,
    /// A transcript's result whose call no transcript has.
    ResultWithoutCall,
    /// A branch of memory whose beginning no event tells.
    UnknownBranch,
    /// A key, an event or a record of memory that is not there, or is another branch's.
    UnknownMemory,
    /// A number that something of memory has already, or that nothing can have.
    TakenNumber,
    /// A repository that no event before tells what it is.
    UnknownRepository,
    /// A debug session, or an attempt, a fix or a pattern of one, that is not there or not any more.
    UnknownDebug,
    /// What was left out of a repository's files since a person edited them, or since they are not ours.
    NotPublished,
    /// What a store could not be given since it could not be written.
    NotWritten,
}

impl AnomalyKind {
    /// The word for it in lists and JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UndeclaredTool => "undeclared tool",
            Self::InvalidToolName => "invalid tool name",
            Self::LostStart => "lost start",
            Self::UnknownCorrected => "unknown corrected execution",
            Self::Contradiction => "contradiction",
            Self::InvalidJson => "invalid JSON",
            Self::Lost => "lost",
            Self::RecordedLoss => RecordedLoss::KIND,
            Self::Undecodable => "undecodable",
            Self::LostContent => "lost content",
            Self::UnreadableLine => "unreadable line",
            Self::ResultWithoutCall => "result without call",
            Self::UnknownBranch => "unknown branch",
            Self::UnknownMemory => "unknown memory",
            Self::TakenNumber => "taken number",
            Self::UnknownRepository => "unknown repository",
            Self::UnknownDebug => "unknown debug session",
            Self::NotPublished => "not published",
            Self::NotWritten => "not written",
        }
    }
}

/// What a store could not take as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anomaly {
    pub sequence: Sequence,
    pub kind: AnomalyKind,
    pub execution: Option<ExecutionId>,
    pub message: String,
}
