//! Spec 002's own queries under their own names, and what fills the documents that they look through.
//!
//! | spec 002 | here |
//! |---|---|
//! | `find_similar_failures`, `get_fix_templates`, `recent_escalations` | the functions of [`DebugMemory`] |
//! | a document, an Execution, a Failure, an Analysis, a Fix, Learnings | [`DebugDocument`], [`DebugExecution`], [`TestFailure`], [`Analysis`], [`Fix`], [`Learnings`] |
//! | hooks | [`DebugMemory::record_execution`] and [`DebugMemory::close`] run them |
//!
//! ```
//! use annals::debug_memory::{DebugMemory, OpenGiven, TestRun};
//!
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! let memory = DebugMemory::initialize(path)?.with_session("s1");
//! let session = memory.open_session(OpenGiven {
//!     file_path: "src/auth/validate.py".to_owned(),
//!     ..OpenGiven::default()
//! })?;
//! let printed = "\
//! =================== FAILURES ===================
//! __________________ test_null ___________________
//!
//!     def test_null():
//! >       validate(None)
//!
//! tests/test_validate.py:4:
//! _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
//!
//!     def validate(text):
//! >       return len(text)
//! E       TypeError: object of type 'NoneType' has no len()
//!
//! src/auth/validate.py:2: TypeError
//! =============== 1 failed in 0.01s ==============
//! ";
//! let run = TestRun { command: &["pytest"], stdout: printed.as_bytes(), exit_code: Some(1), ..TestRun::default() };
//! let done = memory.record_run(session, "the code's SHA-256", &run)?;
//! assert_eq!(done.attempt, 1);
//!
//! let found = memory.find_similar_failures("TypeError", "src/auth/%")?;
//! assert_eq!(found[0].id, session);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every change is one durable commit of the journal; `.annals/debug-memory/` holds the documents.

mod memory;

use crate::execution::query::QueryError;
use crate::journal::ProjectError;
use crate::store::evidence::EvidenceError;
use crate::store::{FeedError, StoreError};

pub use super::query::{DebugFilter, DebugSession, FixTemplate, Similar, SimilarAsked};
pub use super::{
    AttemptDone, AttemptGiven, CloseDone, DebugError, DebugExport, DocumentChecked, ExpiredSession,
    FixGiven, HookTold, ImportDone, ImportedSession, LearnGiven, OpenGiven,
};
pub use crate::event::{
    Analysis, DebugDocument, DebugEnvironment, DebugExecution, DebugSessionId, DebugStatus,
    ErrorPattern, ErrorType, Fix, Learnings, RootCause, SourceLocation, TestFailure, TestResults,
    Verification,
};
pub use crate::parse::check::runner::{OutputStream, TestReport, TestReportReader, TestRunner};
pub use memory::DebugMemory;

/// Why a call of the façade fails. Nothing of the call was recorded, but where the error says so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("{given:?} is no {what} of the contract's schema")]
    Word { what: &'static str, given: String },
    #[error(
        "nothing that {command:?} printed says how many tests ran: record the execution with its results"
    )]
    NotUnderstood { command: String },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Debug(#[from] DebugError),
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Stores(#[from] EvidenceError),
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A run of tests, as a program saw it. What is longer than is worth holding goes through a
/// [`TestReportReader`] of one's own.
#[derive(Clone, Copy, Debug, Default)]
pub struct TestRun<'a> {
    /// The command's words.
    pub command: &'a [&'a str],
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
    /// 128 and the signal's number where a signal ended it.
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
}

impl TestRun<'_> {
    /// What it came to.
    pub fn report(&self) -> TestReport {
        let mut reader = TestReportReader::of(self.command);
        reader.feed(OutputStream::Stdout, self.stdout);
        reader.feed(OutputStream::Stderr, self.stderr);
        reader.finish(self.exit_code, self.duration_ms)
    }
}

#[cfg(test)]
mod tests;
