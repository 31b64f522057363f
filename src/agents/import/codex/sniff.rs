//! Whether a file's beginning is a rollout's, and what it says of its session.

use super::payload::Payload;
use super::{GRAMMAR, Line, session};
use crate::agents::import::loose::{Text, parsed};
use crate::agents::import::pieces::{Piece, pieces};

/// The line types of which one at least stands at the beginning of every rollout.
const KINDS: &[&str] = &["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
/// The item types of which the oldest rollouts consist.
const BARE_KINDS: &[&str] = &["message", "reasoning", "function_call", "function_call_output"];

/// What a rollout's beginning says of its session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beginning {
    pub cwd: Option<String>,
    /// When the session began, Unix milliseconds.
    pub began_ms: Option<u64>,
}

/// Whether a record of the agent's stands whole in this beginning of a file, or, where the first
/// line is longer than it, the keys of one.
pub fn is_rollout(head: &[u8]) -> bool {
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

fn is_record(bytes: &[u8]) -> bool {
    let Some(line) = parsed::<Line<'_>>(bytes) else { return false };
    let kind = line.kind.as_deref();
    if line.payload.0.is_some() {
        return kind.is_some_and(|kind| KINDS.contains(&kind));
    }
    let Some(bare) = parsed::<Payload<'_>>(bytes) else { return false };
    // Other agents' messages have another session's name, and nobody else's calls this id.
    let item = bare.role.as_deref().or(bare.call_id.as_deref()).is_some();
    kind.is_some_and(|kind| BARE_KINDS.contains(&kind)) && item
}

fn has_keys(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    text.contains("\"payload\":") && KINDS.iter().any(|kind| text.contains(&format!("\"{kind}\"")))
}

/// What a rollout's beginning says of its session, also where its first line, which may hold long
/// instructions, is cut.
pub fn beginning(head: &[u8]) -> Beginning {
    let first = head.split(|&byte| byte == b'\n').find(|line| !line.is_empty());
    let first = first.unwrap_or_default();
    let line = parsed::<Line<'_>>(first).unwrap_or_default();
    let meta = line.payload.0.or_else(|| parsed::<Payload<'_>>(first)).unwrap_or_default();
    let text = String::from_utf8_lossy(first);
    let cut = |key: &str| {
        let (_, rest) = text.split_once(&format!("\"{key}\":"))?;
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Text<'_>>();
        values.next()?.ok()?.0.map(|text| text.into_owned()) // a value that is cut says nothing
    };
    let time = |text: Option<String>| Text(text.map(Into::into)).to_unix_ms();
    Beginning {
        cwd: meta.cwd.to_text().or_else(|| cut("cwd")).as_deref().map(session::path),
        began_ms: line
            .timestamp
            .to_unix_ms()
            .or_else(|| meta.timestamp.to_unix_ms())
            .or_else(|| time(cut("timestamp"))),
    }
}
