//! What was decided for a repository.

use serde::Serialize;

use super::time;

/// A decision. Times are Unix milliseconds, in JSON RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    pub id: String,
    pub summary: String,
    pub rationale: String,
    /// Files, folders or patterns of them, relative to the top folder.
    pub impacted_paths: Vec<String>,
    #[serde(rename = "createdAt", serialize_with = "time::write")]
    pub created_ms: u64,
}
