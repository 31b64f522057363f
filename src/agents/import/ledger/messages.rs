//! What agents said, by which model, and the summaries they made of it.

use super::Ledger;
use crate::agents::import::hash;
use crate::agents::import::item::{Compaction, Head, Message};
use crate::event::{AssistantSaid, Body, Compacted, Content, Event, ModelChanged};

impl Ledger {
    /// Reads on in a session in which this model spoke last.
    pub fn resume(&mut self, native: &str, model: Option<String>) {
        if model.is_none() {
            return;
        }
        self.enter(native);
        if let Some(session) = self.current.and_then(|number| self.sessions.get_mut(number)) {
            session.model = model;
        }
    }

    pub fn model_of(&self, native: &str) -> Option<String> {
        self.sessions.get(*self.session_numbers.get(native)?)?.model.clone()
    }

    pub(super) fn take_said(&mut self, head: &Head, message: Message, out: &mut Vec<Event>) {
        let Message { id, text, thinking, stop_reason, usage, is_synthetic } = message;
        let thinking = Some(thinking).filter(|it| self.record.thinking && !it.is_empty());
        let is_told = !(text.trim().is_empty() && thinking.is_none() && usage.is_empty());
        if !is_told {
            return;
        }
        let native_id = id.unwrap_or_else(|| {
            let at_ms = self.at_ms(head);
            format!("{:032x}", hash(&[&at_ms.to_le_bytes(), text.as_bytes()]))
        });
        let model = head.model.clone().filter(|_| !is_synthetic);
        if let (None, Some(model)) = (&head.actor, &model) {
            self.meet_model(head, &native_id, model, out);
        }
        self.report.messages += u64::from(self.seen_messages.is_new(hash(&[native_id.as_bytes()])));
        if !self.record.answers {
            return;
        }
        let said = AssistantSaid {
            native_id,
            actor: head.actor.clone(),
            parent: self.parent(head),
            text: text.into(),
            thinking: thinking.map(Content::from),
            model,
            stop_reason,
            usage,
        };
        self.push(head, Body::AssistantSaid(said), out);
    }

    /// Tells of a model that is not the one which the session's main agent had before.
    fn meet_model(&mut self, head: &Head, native_id: &str, model: &str, out: &mut Vec<Event>) {
        let session = self.current.and_then(|number| self.sessions.get_mut(number));
        let Some(from) = session.and_then(|session| session.turn_to(model)) else { return };
        let (native_id, to) = (native_id.to_owned(), model.to_owned());
        let changed = ModelChanged { native_id, from: Some(from), to };
        self.push(head, Body::ModelChanged(changed), out);
    }

    pub(super) fn take_compaction(
        &mut self,
        head: &Head,
        compaction: Compaction,
        out: &mut Vec<Event>,
    ) {
        let Compaction { id: native_id, trigger, tokens_before, summary } = compaction;
        // A summary is the agent's own words.
        let summary = if self.record.answers { summary } else { String::new() };
        let summary = Content::from(summary);
        let compacted = Compacted { native_id, trigger, tokens_before, summary };
        self.push(head, Body::Compacted(compacted), out);
    }
}
