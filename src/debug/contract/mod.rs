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

mod error;
mod memory;
mod test_run;

#[cfg(test)]
mod tests;

pub use crate::debug::query::{DebugFilter, DebugSession, FixTemplate, Similar, SimilarAsked};
pub use crate::debug::{
    AttemptDone, AttemptGiven, CloseDone, DebugError, DebugExport, DocumentChecked, ExpiredSession,
    FixGiven, HookTold, ImportDone, ImportedSession, LearnGiven, OpenGiven,
};
pub use crate::event::{
    Analysis, DebugDocument, DebugEnvironment, DebugExecution, DebugSessionId, DebugStatus,
    ErrorPattern, ErrorType, Fix, Learnings, RootCause, SourceLocation, TestFailure, TestResults,
    Verification,
};
pub use crate::parse::test_report::{OutputStream, TestReport, TestReportReader, TestRunner};
pub use error::{Error, Result};
pub use memory::DebugMemory;
pub use test_run::TestRun;
