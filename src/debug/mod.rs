//! Debug memory (spec 002): a file under repair, the attempts at it, and what comes of each by rule.
//!
//! What is done is recorded first and then held, as everything is: an operation reads the session's
//! document from `index.db`, caught up, and records plain facts in one commit. What the rules make of
//! an attempt (a status, a fix that is verified by it) is recorded in the same commit; what the hooks
//! find is recorded in a second one, and nothing of it changes what was recorded before.

mod afterwards;
mod archive;
mod attempts;
pub mod contract;
mod documents;
mod error;
mod fields;
pub mod fold;
mod hooks;
mod import;
pub mod index_fold;
pub mod infer;
mod input;
pub mod limits;
pub mod query;
mod result;
mod rules;
pub mod runtime;
pub(crate) mod schema;
mod sessions;
mod writer;

pub use archive::rules_of;
pub use documents::validate;
pub use error::DebugError;
pub use input::{AttemptGiven, FixGiven, LearnGiven, OpenGiven, given_json};
pub use result::{
    AttemptDone, CloseDone, DebugDone, DebugExpired, DebugExport, DebugShown, ExpiredSession,
    HookTold, ImportDone, ImportedSession, OfFile,
};
pub use schema::DocumentChecked;
pub use writer::DebugWriter;

#[cfg(test)]
mod tests;
