//! A debug session with everything that it rests on.

use serde::Serialize;

use crate::event::DebugDocument;

/// A debug session with everything that it rests on: to be read without this journal, and checked
/// against it.
#[derive(Clone, Debug, Serialize)]
pub struct DebugExport {
    /// `annals/debug-export/v1`
    pub format: &'static str,
    /// UTC, RFC 3339.
    pub exported_at: String,
    pub document: DebugDocument,
    /// Trials of the templates, beside the document, which has no place for them.
    pub effectiveness: serde_json::Value,
    /// The recorded executions of the attempts, with what they printed.
    pub executions: Vec<serde_json::Value>,
    /// Which journal it comes from: its `id`, the `chain` at its `sequence` then, and the sequences of
    /// the session's `first` and `last` events.
    pub journal: serde_json::Value,
}
