//! Prompts, each told twice: as an item for the model, and as an event of what was typed.

use crate::agents::import::item::{Part, Prompt, TranscriptRecord};
use crate::agents::import::limits::{CANDIDATES_MAX, HELD_BYTES_MAX};

use super::session::Session;

/// The prompts of one rollout. Items hold more than what was typed and events do not, but the
/// oldest rollouts have no events: so items wait for an event until the agent answers.
#[derive(Debug, Default)]
pub struct Prompts {
    /// Events tell what was typed.
    told: bool,
    waiting: Vec<(TranscriptRecord, String)>,
    count: u64,
}

impl Prompts {
    /// An item that may be a prompt.
    pub fn item(
        &mut self,
        record: TranscriptRecord,
        text: String,
        session: &Session,
        out: &mut Vec<TranscriptRecord>,
    ) {
        if self.told {
            out.push(record);
            return;
        }
        let bytes: usize = self.waiting.iter().map(|(_, text)| text.len()).sum();
        if self.waiting.len() >= CANDIDATES_MAX || bytes + text.len() > HELD_BYTES_MAX {
            self.answered(session, out);
        }
        self.waiting.push((record, text));
    }

    /// An event tells what was typed: the items that waited were this, or nobody's words.
    pub fn event(&mut self, out: &mut Vec<TranscriptRecord>) {
        self.told = true;
        out.extend(self.waiting.drain(..).map(|(record, _)| record));
    }

    /// The agent answers: no event will come, and what waited was asked.
    pub fn answered(&mut self, session: &Session, out: &mut Vec<TranscriptRecord>) {
        for (mut record, text) in std::mem::take(&mut self.waiting) {
            record.parts.push(Part::Prompt(self.prompt(text, record.head.at_ms, session)));
            out.push(record);
        }
    }

    /// The next prompt of the rollout.
    pub fn prompt(&mut self, text: String, at_ms: Option<u64>, session: &Session) -> Prompt {
        self.count += 1;
        Prompt { text, place: session.prompt_place(self.count, at_ms) }
    }
}
