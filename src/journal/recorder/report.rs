//! What one call of a recorder did.

use super::facts::PastFault;
use crate::event::limits::TOOL_NAME_BYTES_MAX;
use crate::event::{EventError, ExecutionId, Sequence};
use crate::journal::time_guard::TimeRefused;
use crate::journal::{Appended, Hold, JournalError, Project, ProjectError};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordReport {
    /// Where the commit lies; `None` where it was staged, or where there was nothing new.
    pub appended: Option<Appended>,
    /// Events taken, declarations of tools among them.
    pub recorded: u64,
    /// Events that the journal holds already.
    pub duplicates: u64,
    /// Events that were redacted before, by what they hold or by whose they are: they are not taken.
    pub withheld: u64,
    pub declared: Vec<String>,
    /// Times moved to keep their session in order.
    pub clamped: u64,
    pub corrected: u64,
    pub redacted: u64,
    /// Contents, JSON texts, texts and lists that were cut to their limits.
    pub truncated: u64,
}

impl RecordReport {
    pub fn last_sequence(&self) -> Option<u64> {
        self.appended.map(|appended| appended.last.0)
    }

    pub fn add(&mut self, other: &Self) {
        self.appended = other.appended.or(self.appended);
        self.recorded += other.recorded;
        self.duplicates += other.duplicates;
        self.withheld += other.withheld;
        self.declared.extend_from_slice(&other.declared);
        self.clamped += other.clamped;
        self.corrected += other.corrected;
        self.redacted += other.redacted;
        self.truncated += other.truncated;
    }
}

/// Why a recorder refuses, or fails to record. Nothing of the call that gave it was recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(
        "tool `{tool}` is not in the contract's list: declare it, or record under one of the declared \
         names: {declared}"
    )]
    Undeclared { tool: String, declared: String },
    #[error(
        "`{tool}` cannot be a tool's name: 1 to {TOOL_NAME_BYTES_MAX} ASCII letters, digits and \
         `_ - . : /`, beginning with a letter, a digit or `_`"
    )]
    ToolName { tool: String },
    #[error(
        "the project's contract is locked to its first eleven tools: set `contract = \"open\"` in \
         .annals/config.toml to declare `{tool}`"
    )]
    Locked { tool: String },
    #[error("{reason}")]
    Checks { reason: String },
    #[error("event {at} ({name}) is refused")]
    Time { at: usize, name: &'static str, source: TimeRefused },
    #[error("event {at} ({name}) is refused")]
    Event { at: usize, name: &'static str, source: EventError },
    #[error("event {at} ({name}) is refused: its arguments are JSON, but not an object")]
    NotAnObject { at: usize, name: &'static str },
    #[error(
        "event {at} ({name}) is refused: the {what}'s name is, or holds, what looks like a secret: \
         names are kept as they are"
    )]
    SecretName { at: usize, name: &'static str, what: &'static str },
    #[error(
        "execution {execution} is on record with {other}: the same id is the same call; leave the id \
         out, or give another, to record another call"
    )]
    OtherContent { execution: ExecutionId, other: &'static str },
    #[error("index.db cannot be asked what is recorded already")]
    Past(#[source] PastFault),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl RecordError {
    /// The journal's last event, where others were faster and nothing was recorded therefore.
    pub fn overtaken(&self) -> Option<Sequence> {
        match self {
            Self::Journal(error) => error.overtaken(),
            _ => None,
        }
    }
}

/// Rounds in which others may append first. Each costs a read of what they appended.
const ROUNDS_MAX: u32 = 8;

/// How often somebody appended between a look at the journal's end and the append that was decided by
/// it. After a few times the journal is held, so that the next one is the last, however many others
/// there are and however fast.
pub struct Rounds<'p> {
    project: &'p Project,
    overtaken: u32,
    hold: Option<Hold>,
}

impl<'p> Rounds<'p> {
    pub fn of(project: &'p Project) -> Self {
        Self { project, overtaken: 0, hold: None }
    }

    /// One more, before the journal is read on: nobody else appends then where it was held.
    pub fn another(&mut self) -> Result<(), RecordError> {
        self.overtaken += 1;
        if self.overtaken >= ROUNDS_MAX && self.hold.is_none() {
            self.hold = Some(self.project.journal()?.hold()?);
        }
        Ok(())
    }
}
