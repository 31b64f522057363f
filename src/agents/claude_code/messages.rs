//! What the agent says in a line, and where it made a summary of what was said.

use serde::Deserialize;

use super::content::Content;
use super::{ClaudeCode, Record};
use crate::agents::import::item::{self, Compaction, Part};
use crate::agents::import::loose::{Number, Text, parsed};
use crate::agents::import::odd::{Count, Given};
use crate::agents::import::told;
use crate::event::Usage;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CompactMetadata<'a> {
    #[serde(borrow)]
    pub trigger: Text<'a>,
    pub pre_tokens: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Message<'a> {
    #[serde(borrow)]
    pub id: Text<'a>,
    pub model: Text<'a>,
    pub stop_reason: Text<'a>,
    pub usage: Given<Tokens>,
    pub content: Content<'a>,
}

/// The tokens of a message so far: they grow from line to line of it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Tokens {
    input_tokens: Count,
    output_tokens: Count,
    cache_read_input_tokens: Count,
    cache_creation_input_tokens: Count,
}

impl Tokens {
    fn odd(&self) -> Option<Part> {
        told::odd_usage(&[
            ("input_tokens", self.input_tokens),
            ("output_tokens", self.output_tokens),
            ("cache_read_input_tokens", self.cache_read_input_tokens),
            ("cache_creation_input_tokens", self.cache_creation_input_tokens),
        ])
    }

    fn usage(self) -> Usage {
        Usage {
            input: self.input_tokens.to_count(),
            output: self.output_tokens.to_count(),
            cache_read: self.cache_read_input_tokens.to_count(),
            cache_write: self.cache_creation_input_tokens.to_count(),
        }
    }
}

/// What a line says of the agent's message; `None` where nothing is told of it. `uuid`: the line's own id,
/// by which a message is known that bears none.
pub fn said(message: &Message<'_>, uuid: Option<&str>) -> Option<item::Message> {
    let blocks = match &message.content {
        Content::Blocks(blocks) => blocks.as_slice(),
        Content::Text(_) | Content::Absent | Content::Odd => &[],
    };
    let joined = |texts: Vec<&str>| texts.join("\n");
    let said = item::Message {
        id: message.id.to_text().or_else(|| uuid.map(str::to_owned)),
        text: match &message.content {
            Content::Text(text) => text.clone().into_owned(),
            _ => joined(blocks.iter().filter_map(|it| it.text.as_deref()).collect()),
        },
        thinking: joined(blocks.iter().filter_map(|it| it.thinking.as_deref()).collect()),
        stop_reason: message.stop_reason.to_text(),
        usage: message.usage.get().map(|it| it.usage()).unwrap_or_default(),
        // The agent writes "<synthetic>" where no model spoke.
        is_synthetic: message.model.as_deref().is_some_and(|model| model.starts_with('<')),
    };
    let tells = !(said.text.trim().is_empty() && said.thinking.is_empty() && said.usage.is_empty());
    tells.then_some(said)
}

impl Message<'_> {
    /// What of its tokens could not be read.
    pub fn odd_usage(&self) -> Option<Part> {
        told::odd_tokens(&self.usage, Tokens::odd)
    }
}

impl ClaudeCode {
    /// A summary together with the boundary before it, which says why it was made.
    pub(super) fn compacted(&mut self, line: u64, record: &Record<'_>) -> Option<Compaction> {
        if record.subtype.as_deref() == Some("compact_boundary") {
            let metadata = record.compact_metadata.0.as_ref();
            let compaction = Compaction {
                id: record.uuid.to_text()?,
                trigger: metadata.and_then(|it| it.trigger.to_text()),
                tokens_before: metadata.and_then(|it| it.pre_tokens.to_count()),
                summary: String::new(),
            };
            return self.boundary.replace((line, compaction)).map(|(_, before)| before);
        }
        let summary =
            record.is_compact_summary.0.then_some(&record.message.0).and_then(Option::as_ref);
        match (summary, &record.kind) {
            (Some(message), _) => {
                let (own, summary) = (record.uuid.to_text(), message.content.to_text());
                let boundary = self.boundary.take().map(|(_, boundary)| boundary);
                let boundary =
                    boundary.or(own.map(|id| Compaction { id, ..Compaction::default() }));
                boundary.map(|it| Compaction { summary, ..it })
            }
            // Nobody made a summary: what was said goes on all the same.
            (None, kind) if kind.as_deref() == Some("assistant") => {
                self.boundary.take().map(|(_, boundary)| boundary)
            }
            _ => None,
        }
    }
}

/// The ids of a record's own calls, and of the calls it holds results of.
pub fn block_ids(record: &[u8]) -> (Vec<String>, Vec<String>) {
    let mended = crate::agents::import::mended(record);
    let record = parsed::<Record<'_>>(mended.as_deref().unwrap_or(record)).unwrap_or_default();
    let Some(Message { content: Content::Blocks(blocks), .. }) = record.message.0 else {
        return (Vec::new(), Vec::new());
    };
    let of =
        |kind: &'static str| blocks.iter().filter(move |block| block.kind.as_deref() == Some(kind));
    (
        of("tool_use").filter_map(|block| block.id.to_text()).collect(),
        of("tool_result").filter_map(|block| block.tool_use_id.to_text()).collect(),
    )
}
