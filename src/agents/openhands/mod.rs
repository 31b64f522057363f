//! OpenHands' events: JSON lines `{id, timestamp, source, kind, …}`, as its agent SDK writes them.
//!
//! Calls are `ActionEvent`s, what they printed `ObservationEvent`s, and both belong together by
//! `tool_call_id`. Times have no zone, so that they tell an order and no moment. No event names its
//! conversation: the first event's id does. Older releases wrote others ([`older`]).

mod event;
mod older;
#[cfg(test)]
mod tests;

use super::import::item::TranscriptRecord;
use super::import::log_source::{LogSource, Reads};
use super::import::loose::parsed;
use super::import::transcript::{Dialect, Grammar, holds_record};
use event::Event;
use older::Older;

pub const SOURCE: LogSource = LogSource {
    name: "openhands",
    title: "OpenHands",
    also: None,
    endings: &[".jsonl"],
    is_of: |beginning| holds_record(beginning.head, &GRAMMAR, is_record, |_| false),
    reads: Reads::Lines(|| Box::<Events>::default()),
    began_ms: None,
    session_of: None,
    untimed: true,
};

const GRAMMAR: Grammar = Grammar { beginnings: &["{\"id\":", "{\"kind\":"], is_record };

fn is_record(bytes: &[u8]) -> bool {
    let mut events = serde_json::Deserializer::from_slice(bytes).into_iter::<Event<'_>>();
    let is_whole = matches!(events.next(), Some(Ok(event)) if event.is_whole());
    let mut older = serde_json::Deserializer::from_slice(bytes).into_iter::<Older<'_>>();
    is_whole || matches!(older.next(), Some(Ok(event)) if event.is_whole())
}

#[derive(Debug, Default)]
struct Events {
    /// The first event's id, or of older ones its time.
    session: Option<String>,
}

impl Events {
    fn older(&mut self, number: u64, bytes: &[u8], out: &mut Vec<TranscriptRecord>) -> bool {
        let Some(event) = parsed::<Older<'_>>(bytes).filter(Older::is_whole) else { return false };
        let session = self.session.get_or_insert_with(|| event.session());
        out.push(event.read(number, session));
        true
    }
}

impl Dialect for Events {
    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn record(&mut self, number: u64, bytes: &[u8], out: &mut Vec<TranscriptRecord>) -> bool {
        let Some(event) = parsed::<Event<'_>>(bytes).filter(Event::is_whole) else {
            return self.older(number, bytes, out);
        };
        let session = self.session.get_or_insert_with(|| event.id.to_text().unwrap_or_default());
        out.push(event.read(number, session));
        true
    }

    fn has_state(&self) -> bool {
        true
    }

    fn state(&self) -> Option<String> {
        self.session.clone()
    }

    fn resume(&mut self, state: &str) {
        self.session = Some(state.to_owned());
    }
}
