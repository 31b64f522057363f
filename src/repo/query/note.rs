//! What was noted of a repository.

use serde::{Serialize, Serializer};

use super::time;
use crate::event::NoteSource;

/// A note. Times are Unix milliseconds, in JSON RFC 3339.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    pub id: String,
    pub content: String,
    #[serde(serialize_with = "source")]
    pub source: NoteSource,
    #[serde(rename = "createdAt", serialize_with = "time::write")]
    pub created_ms: u64,
}

fn source<S: Serializer>(source: &NoteSource, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(source.as_str())
}
