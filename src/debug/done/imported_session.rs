//! A document that was imported.

use crate::event::DebugSessionId;

/// A document that was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedSession {
    pub session: DebugSessionId,
    /// What the document called itself, where that was no UUID.
    pub native_id: Option<String>,
    /// Whether it was there already, just so.
    pub is_known: bool,
    /// Members that the schema does not name (`/executions/0/mood`): they stay in the journal only.
    pub unnamed: Vec<String>,
    /// What else is to be said of it, a sentence each: times that cannot be.
    pub notes: Vec<String>,
}
