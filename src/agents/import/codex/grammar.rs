//! How Codex begins its records.

use super::line::Line;
use crate::agents::import::pieces::Grammar;

/// How Codex begins its records, in every version seen.
pub const GRAMMAR: Grammar = Grammar { beginnings: &["{\"timestamp\":", "{\"type\":"], is_record };

/// Only a record has a time, a type and a payload.
fn is_record(bytes: &[u8]) -> bool {
    let mut lines = serde_json::Deserializer::from_slice(bytes).into_iter::<Line<'_>>();
    let Some(Ok(line)) = lines.next() else { return false };
    line.timestamp.as_deref().is_some()
        && line.kind.as_deref().is_some()
        && line.payload.0.is_some()
}
