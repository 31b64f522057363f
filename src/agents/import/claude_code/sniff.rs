//! Whether a file's beginning is a Claude Code transcript's.

use super::{GRAMMAR, Record};
use crate::agents::import::loose::parsed;
use crate::agents::import::pieces::{Piece, pieces};

/// The record types of which one at least stands at the beginning of every transcript.
const KINDS: &[&str] = &[
    "user",
    "assistant",
    "system",
    "summary",
    "progress",
    "attachment",
    "file-history-snapshot",
    "queue-operation",
    "custom-title",
    "ai-title",
    "last-prompt",
    "permission-mode",
];

/// Whether a record of the agent's stands whole in this beginning of a file, or, where the first
/// line is longer than it, the keys of one.
pub fn is_transcript(head: &[u8]) -> bool {
    let cut = head.iter().rposition(|&byte| byte == b'\n');
    let whole = cut.map_or(head, |end| &head[..end]);
    let found = whole.split(|&byte| byte == b'\n').any(|line| {
        pieces(line, &GRAMMAR).into_iter().any(|piece| match piece {
            Piece::Record(range) => is_record(&line[range]),
            Piece::Lost(..) => false,
        })
    });
    found || (cut.is_none() && has_keys(head))
}

/// The session that a file's first whole records name.
pub fn session_of(head: &[u8]) -> Option<String> {
    head.split(|&byte| byte == b'\n').find_map(|line| {
        let record: Record<'_> = parsed(line)?;
        record.session_id.to_text()
    })
}

fn is_record(bytes: &[u8]) -> bool {
    let Some(record) = parsed::<Record<'_>>(bytes) else { return false };
    let known = record.kind.as_deref().is_some_and(|kind| KINDS.contains(&kind));
    let said = record.session_id.as_deref().or(record.leaf_uuid.as_deref()).is_some();
    known && (said || record.kind.as_deref() == Some("file-history-snapshot"))
}

fn has_keys(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.contains("\"sessionId\":") && text.contains("\"type\":") && text.contains("\"uuid\":")
        || text.contains("\"isSidechain\":")
}
