//! What agents said: tokens by message, changes of model, summaries.

use super::Index;
use crate::event::{AssistantSaid, Body, Content, Recorded};
use crate::execution::closed::signed;
use crate::store::StoreError;
use crate::store::columns::insert;

impl Index {
    pub(super) fn message(
        &self,
        recorded: &Recorded,
        said: &AssistantSaid,
        session: Option<u64>,
    ) -> Result<(), StoreError> {
        let usage = &said.usage;
        insert!(
            self,
            "INSERT OR REPLACE INTO",
            messages {
                seq: recorded.sequence.0,
                native_id: said.native_id,
                session,
                at_ms: signed(recorded.event.envelope.at_ms),
                actor: said.actor,
                parent: said.parent.map(|id| id.to_string()),
                model: said.model,
                stop_reason: said.stop_reason,
                input: usage.input.map(signed),
                output: usage.output.map(signed),
                cache_read: usage.cache_read.map(signed),
                cache_write: usage.cache_write.map(signed),
                text_bytes: signed(said.text.len()),
                thinking_bytes: signed(said.thinking.as_ref().map_or(0, Content::len)),
            }
        )
        .map(drop)
    }

    pub(super) fn mark(&self, recorded: &Recorded, session: Option<u64>) -> Result<(), StoreError> {
        let (native_id, was, became, why, tokens) = match &recorded.event.body {
            Body::ModelChanged(b) => (&b.native_id, b.from.as_ref(), Some(&b.to), None, None),
            Body::Compacted(b) => {
                (&b.native_id, None, None, b.trigger.as_ref(), b.tokens_before.map(signed))
            }
            _ => return Ok(()),
        };
        insert!(
            self,
            marks {
                seq: recorded.sequence.0,
                kind: recorded.event.body.name(),
                native_id,
                session,
                at_ms: signed(recorded.event.envelope.at_ms),
                was,
                became,
                why,
                tokens,
            }
        )
        .map(drop)
    }
}
