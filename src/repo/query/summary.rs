//! What a step came to, as a line of `summaries.jsonl` has it.

use serde::Serialize;

use super::time;

/// What a step came to. Times are Unix milliseconds, in JSON RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    pub run_id: String,
    pub step_id: String,
    #[serde(rename = "createdAt", serialize_with = "time::write")]
    pub created_ms: u64,
    pub summary: String,
}

impl Summary {
    /// Its line, the end of the line included.
    pub fn line(&self) -> String {
        // Texts and numbers always serialise.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}
