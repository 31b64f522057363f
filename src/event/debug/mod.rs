//! Facts of debug memory (spec 002): a file under repair, the attempts at it, what was thought to be
//! wrong, what was changed, what was learnt.
//!
//! The records that the contract's schema names ([`TestResults`], [`TestFailure`], [`Analysis`],
//! [`Fix`], [`Learnings`] …) are the events' own and, by serde, the document's: one shape, and no
//! translation in between. A [`DebugDocument`] is what the events of one session come to.

mod analysis;
mod attempt;
mod author;
mod beside;
mod document;
mod failure;
mod fix;
mod id;
mod learning;
mod message;
mod moment;
mod session;
mod status;

pub use analysis::{Analysis, AnalysisRecorded, RootCause, SimilarIssue};
pub use attempt::{AttemptRecorded, DebugEnvironment, TestResults};
pub use author::DebugAuthor;
pub use beside::{DebugBeside, FixOrigin, TemplateTrial};
pub use document::{DebugDocument, DebugExecution, DebugMetadata};
pub use failure::{ErrorType, SourceLocation, TestFailure};
pub use fix::{Fix, FixApplied, FixVerified, TemplateRef, TemplateTried, Verification};
pub use id::DebugSessionId;
pub use learning::{
    CodeQualityIssue, ErrorPattern, LearningExtracted, Learnings, RecurringFailure, Resolution,
    Severity, TemplateTally,
};
pub use message::normalised_message;
pub use moment::{debug_ms, debug_time};
pub use session::{
    DebugSessionClosed, DebugSessionExpired, DebugSessionImported, DebugSessionOpened,
};
pub use status::DebugStatus;
