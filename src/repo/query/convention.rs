//! What holds in a repository.

use serde::Serialize;

use super::time;

/// A convention: what holds in a repository. Times are Unix milliseconds, in JSON RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Convention {
    pub id: String,
    pub title: String,
    pub content: String,
    pub tags: Vec<String>,
    #[serde(rename = "createdAt", serialize_with = "time::write")]
    pub created_ms: u64,
    #[serde(rename = "updatedAt", serialize_with = "time::write")]
    pub updated_ms: u64,
}
