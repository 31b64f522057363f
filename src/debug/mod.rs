//! Debug memory (spec 002): a file under repair, the attempts at it, and what comes of each by rule.
//!
//! What is done is recorded first and then held, as everything is: an operation reads the session's
//! document from `index.db`, caught up, and records plain facts in one commit. What the rules make of
//! an attempt (a status, a fix that is verified by it) is recorded in the same commit; what the hooks
//! find is recorded in a second one, and nothing of it changes what was recorded before.

mod attempts;
pub mod contract;
mod cut;
mod documents;
mod durable_file;
mod error;
mod expire;
mod export;
mod fields;
pub mod fold;
mod given;
mod hooks;
mod import;
pub mod index_fold;
pub mod infer;
pub mod limits;
mod observation;
pub mod query;
mod result;
mod room;
mod rules;
pub mod runtime;
pub(crate) mod schema;
mod sessions;
mod writer;

#[cfg(test)]
mod tests;

pub use documents::{DocumentChecked, validate};
pub use error::DebugError;
pub use expire::rules_of;
pub use given::{AttemptGiven, FixGiven, LearnGiven, OpenGiven, given_json};
pub use result::{
    AttemptDone, CloseDone, DebugDone, DebugExport, ExpiredSession, HookTold, ImportDone,
    ImportedSession,
};
pub use schema::SchemaFault;
pub use writer::DebugWriter;
