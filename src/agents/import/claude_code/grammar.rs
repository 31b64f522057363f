//! How Claude Code begins its records.

use super::record::Record;
use crate::agents::import::pieces::Grammar;

/// How Claude Code begins its records, in every version seen.
pub const GRAMMAR: Grammar = Grammar {
    beginnings: &[
        "{\"parentUuid\":",
        "{\"type\":",
        "{\"sessionId\":",
        "{\"uuid\":",
        "{\"isSidechain\":",
        "{\"logicalParentUuid\":",
        "{\"leafUuid\":",
        "{\"summary\":",
    ],
    is_record,
};

/// Only records name their session, the message they snapshot, or the leaf they sum up.
fn is_record(bytes: &[u8]) -> bool {
    let mut records = serde_json::Deserializer::from_slice(bytes).into_iter::<Record<'_>>();
    let Some(Ok(record)) = records.next() else { return false };
    record.kind.as_deref().is_some()
        && (record.session_id.as_deref().is_some() || record.leaf_uuid.as_deref().is_some())
}
