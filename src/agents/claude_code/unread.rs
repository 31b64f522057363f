//! What a record tells and nobody reads, but for its calls and results.

use super::content::{Block, Content, prompt};
use super::{KINDS, Record};
use crate::agents::import::item::{Part, odd_words};

/// Of which nothing is kept: the agent's own, or told by what is read beside.
const SILENT: &[&str] = &["text", "thinking", "redacted_thinking", "tool_use", "tool_result"];

pub(super) fn of_record(record: &Record<'_>, parts: &mut Vec<Part>) {
    let kind = record.kind.as_deref().unwrap_or_default();
    let is_user = kind == "user";
    let Some(message) = &record.message.0 else {
        if is_user || kind == "assistant" {
            parts.push(Part::unread("a record without its message"));
        }
        return;
    };
    if !is_user && kind != "assistant" {
        if !KINDS.contains(&kind) {
            let kind = odd_words(kind);
            parts.push(Part::Unread(format!("a message in a record of the unknown type {kind:?}")));
        }
        return;
    }
    if !is_user {
        parts.extend(message.odd_usage());
    }
    let blocks = match &message.content {
        Content::Blocks(blocks) => blocks,
        Content::Odd => {
            parts.push(Part::unread("content that is neither a text nor a list"));
            return;
        }
        Content::Text(_) | Content::Absent => return,
    };
    let is_made = record.is_meta.0 || record.is_compact_summary.0;
    let is_beside = blocks.iter().any(|it| it.kind.as_deref() == Some("tool_result"));
    parts.extend(blocks.iter().filter_map(|block| match block.kind.as_deref() {
        None => Some(Part::unread("a part of its content without a type")),
        Some("text") if is_user && is_beside && !is_made => {
            let text = block.text.as_deref().and_then(prompt);
            text.map(|_| Part::unread("a text beside a tool_result"))
        }
        Some(kind) if SILENT.contains(&kind) || is_made => None,
        Some("image" | "document") if is_kept(block, is_user && !is_beside) => None,
        Some(kind) => Some(Part::Unread(format!("content that is no text: {}", odd_words(kind)))),
    }));
}

/// Whether it goes with a prompt.
fn is_kept(block: &Block<'_>, is_asked: bool) -> bool {
    is_asked && block.attachment().is_some()
}
