//! A rollout as the importer reads it: line by line, and on from where a hook stopped.

use super::GRAMMAR;
use super::rollout::Rollout;
use crate::agents::import::item::TranscriptRecord;
use crate::agents::import::transcript::{Dialect, Grammar};

impl Dialect for Rollout {
    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn record(&mut self, number: u64, bytes: &[u8], out: &mut Vec<TranscriptRecord>) -> bool {
        let whole = self.read(number, bytes);
        for record in std::mem::take(&mut self.out) {
            self.growing.take(record, bytes.len(), out);
        }
        if self.responses.is_whole() {
            self.growing.end(out);
        }
        whole
    }

    fn held_from(&self) -> Option<u64> {
        let is_quiet = self.prompts.waiting.is_empty()
            && self.held.is_empty()
            && self.running.is_empty()
            && self.growing.held_from().is_none();
        // Which line it is matters to nobody: it rests only where nothing is held.
        (!is_quiet).then_some(0)
    }

    fn has_state(&self) -> bool {
        true
    }

    fn state(&self) -> Option<String> {
        let Self { session, prompts, responses, unnamed, .. } = self;
        let (prompts, unnamed) = ((prompts.told, prompts.count), *unnamed);
        // Texts and numbers always are JSON.
        serde_json::to_string(&(session, prompts, responses, unnamed)).ok()
    }

    fn resume(&mut self, state: &str) {
        if let Ok((session, (told, count), responses, unnamed)) = serde_json::from_str(state) {
            (self.session, self.responses, self.unnamed) = (session, responses, unnamed);
            (self.prompts.told, self.prompts.count) = (told, count);
        }
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) {
        self.finish();
        for record in std::mem::take(&mut self.out) {
            self.growing.take(record, 0, out);
        }
        self.growing.end(out);
    }
}
