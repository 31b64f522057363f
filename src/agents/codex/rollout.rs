//! Reads the records of one rollout, in order.

use super::item::{Ended, Told, ended, item};
use super::payload::{Payload, Said, Tokens};
use super::response::Responses;
use super::result::output;
use super::running::{Held, HeldEnd, Running};
use super::session::Session;
use super::{Line, Prompts, payload, result};
use crate::agents::import::item::{CallResult, Head, Part, Prompt, Title, TranscriptRecord};
use crate::agents::import::limits::ROLLOUT_CALLS_MAX;
use crate::agents::import::loose::{object, parsed};
use crate::agents::import::{Growing, Seen, hash};
use crate::event::Attachment;

/// What reading a rollout needs to remember, all of it bounded.
#[derive(Debug, Default)]
pub struct Rollout {
    pub(super) session: Session,
    pub(super) prompts: Prompts,
    pub(super) responses: Responses,
    pub(super) growing: Growing,
    pub(super) held: Held,
    pub(super) running: Running,
    calls: Seen<ROLLOUT_CALLS_MAX>,
    answered: Seen<ROLLOUT_CALLS_MAX>,
    pub(super) unnamed: u64,
    /// What came out, to be taken by whoever reads.
    pub out: Vec<TranscriptRecord>,
}

impl Rollout {
    /// Reads a record; `false` where the bytes are none. What it says comes out now, or later where
    /// other lines tell the rest of it.
    pub fn read(&mut self, line: u64, bytes: &[u8]) -> bool {
        let Some(Line { timestamp, kind, payload }) = parsed::<Line<'_>>(bytes) else {
            return false;
        };
        let head = Head::at(&timestamp);
        let record = TranscriptRecord { line, head, parts: Vec::new() };
        match (kind.as_deref(), payload.0) {
            (Some("session_meta"), Some(meta)) => self.meta(record, &meta),
            (Some("turn_context"), Some(turn)) => {
                self.session.take_turn(&turn);
                self.out.push(self.told(record, Vec::new()));
            }
            (Some("compacted"), Some(payload)) => {
                let at_ms = record.head.at_ms;
                let compaction = self.responses.compacted(&payload, at_ms, &self.session);
                let parts = compaction.map(Part::Compacted).into_iter().collect();
                self.out.push(self.told(record, parts));
            }
            (Some("response_item"), Some(payload)) => self.item(record, &payload),
            (Some("event_msg"), Some(event)) => self.event(record, &event),
            (_, Some(_)) => self.out.push(record),
            (kind, None) => {
                let Some(bare) = parsed::<Payload<'_>>(bytes) else { return false };
                if kind.is_some_and(|kind| super::session::KINDS.contains(&kind)) {
                    let unread =
                        Part::Unread(format!("a {} without its payload", kind.unwrap_or_default()));
                    self.out.push(self.told(record, vec![unread]));
                    return true;
                }
                match kind {
                    None => self.meta(record, &bare),
                    Some(_) => {
                        let head = Head::default();
                        self.item(TranscriptRecord { head, ..record }, &bare);
                    }
                }
            }
        }
        true
    }

    /// The file has ended: what waited will not be told more of.
    pub(super) fn finish(&mut self) {
        self.prompts.answered(&self.session, &mut self.out);
        self.release(true);
        let left = self.running.leave();
        if !left.is_empty() {
            let record = TranscriptRecord::default();
            let parts = left.into_iter().map(Part::Result).collect();
            self.out.push(self.told(record, parts));
        }
    }

    fn told(&self, record: TranscriptRecord, parts: Vec<Part>) -> TranscriptRecord {
        let Head { at_ms, odd_time, .. } = record.head;
        let head = Head { odd_time, ..self.session.head(at_ms) };
        TranscriptRecord { head, parts, ..record }
    }

    fn meta(&mut self, record: TranscriptRecord, meta: &Payload<'_>) {
        self.session.take_meta(meta, record.head.at_ms);
        self.out.push(self.told(record, Vec::new()));
    }

    fn item(&mut self, record: TranscriptRecord, payload: &Payload<'_>) {
        let unnamed = format!("{}", self.unnamed);
        let told = item(payload, self.session.id(), &unnamed);
        if !matches!(told, Told::User(_) | Told::Unread(_) | Told::Nothing) {
            self.prompts.answered(&self.session, &mut self.out);
        }
        let at_ms = record.head.at_ms;
        let said = match &told {
            Told::Said(text) => Some((text.as_str(), "", "")),
            Told::Thought(text) => Some(("", text.as_str(), "")),
            Told::Call(call) => Some(("", "", call.id.as_str())),
            Told::Closed(closed) => Some(("", "", closed.call.id.as_str())),
            _ => None,
        };
        let own = payload.id.as_deref();
        let said = said.map(|it| self.responses.item(it, own, at_ms, &self.session));
        let mut parts = match told {
            Told::User(text) => {
                self.responses.end();
                let record = self.told(record, Vec::new());
                let pictures = payload.content.map(payload::pictures).unwrap_or_default();
                match super::asked(&text) {
                    Some(text) => {
                        let asked = (text, pictures);
                        self.prompts.item(record, asked, &self.session, &mut self.out);
                    }
                    None => self.out.push(record),
                }
                return;
            }
            Told::Call(call) => {
                self.calls.is_new(key(&call.id));
                self.held.call(&call.id);
                self.running.ask(&call);
                vec![Part::Call(*call)]
            }
            Told::Closed(closed) => {
                self.unnamed += 1;
                let Ended { call, result } = *closed;
                vec![Part::Call(call), Part::Result(result)]
            }
            Told::Output { id, said } => {
                let parts = self.output(id, &said);
                self.responses.answered();
                self.release(false);
                parts
            }
            Told::Unread(what) => vec![Part::Unread(what)],
            Told::Said(_) | Told::Thought(_) | Told::Agent | Told::Nothing => Vec::new(),
        };
        if let Some(said) = said {
            parts.insert(0, Part::Said(Box::new(said)));
        }
        self.out.push(match parts.is_empty() {
            true => record,
            false => self.told(record, parts),
        });
    }

    fn output(&mut self, id: String, said: &Said) -> Vec<Part> {
        let mut output = output(said.text.clone());
        let asks = self.running.is_asking(&id);
        let of_process = self.running.hear(&id, &mut output);
        let mut results: Vec<CallResult> = of_process.into_iter().collect();
        // A call that asks for a process has ended itself.
        let number = output.running.clone().filter(|_| !asks);
        let told = result::told(self.session.id(), id, said, output);
        let held = self.held.take(&told.id);
        match (held, number) {
            (Some(HeldEnd { record, ended, called }), _) => {
                // A copied history may have the event and the output without the call between.
                let parts = if called { Vec::new() } else { vec![Part::Call(ended.call)] };
                self.out.push(self.told(record, parts));
                results.push(result::joined(told, ended.result));
            }
            (None, Some(number)) => results.extend(self.running.start(number, told)),
            (None, _) => results.push(told),
        }
        for result in &results {
            self.answered.is_new(key(&result.id));
        }
        results.into_iter().map(Part::Result).collect()
    }

    fn event(&mut self, record: TranscriptRecord, event: &Payload<'_>) {
        match event.kind.as_deref() {
            Some("user_message") => {
                let plain = event.prompt_kind.as_deref().is_none_or(|kind| kind == "plain");
                let text = event.message.as_deref().filter(|_| plain).and_then(super::typed);
                let pictures = event.images.map(payload::pictures).unwrap_or_default();
                self.asked(record, text, pictures);
                let known_by = event.annals_id.to_text();
                let parts = self.out.last_mut().into_iter().flat_map(|it| &mut it.parts);
                parts.for_each(|part| part.name_prompt(&known_by));
            }
            Some("token_count") => {
                let said = self.responses.tokens(event, record.head.at_ms, &self.session);
                match said {
                    Some(said) => {
                        let odd = event.info.0.and_then(Tokens::odd);
                        let parts = [Some(Part::Said(Box::new(said))), odd];
                        let parts = parts.into_iter().flatten().collect();
                        self.out.push(self.told(record, parts));
                    }
                    None => self.out.push(record),
                }
            }
            Some("item_completed") => {
                let item = event.item.map(|raw| object::<Payload<'_>>(raw.get().as_bytes()));
                let item = item.unwrap_or_default();
                if item.kind.as_deref() == Some("UserMessage") {
                    let text = item.content.map(|raw| payload::typed(raw, ""));
                    let pictures = item.content.map(payload::pictures).unwrap_or_default();
                    self.asked(record, text.as_deref().and_then(super::typed), pictures);
                } else {
                    let from_ms = event.started_at_ms.to_ms(1.0);
                    let span_ms = event.completed_at_ms.to_ms(1.0).zip(from_ms);
                    let span_ms = span_ms.and_then(|(to, from)| to.checked_sub(from));
                    self.ended(record, &item, span_ms);
                }
            }
            Some("thread_name_updated") => {
                let title = event.thread_name.to_text();
                let parts = title.map(|text| Part::Title(Title { text, leaf: None }));
                self.out.push(self.told(record, parts.into_iter().collect()));
            }
            Some("task_complete" | "turn_complete" | "turn_aborted") => {
                self.prompts.answered(&self.session, &mut self.out);
                self.release(true);
                self.out.push(record);
            }
            _ => self.ended(record, event, None),
        }
    }

    fn asked(
        &mut self,
        record: TranscriptRecord,
        text: Option<String>,
        attachments: Vec<Attachment>,
    ) {
        self.responses.end();
        self.release(true);
        let Some(text) = text else {
            self.out.push(record);
            return;
        };
        self.prompts.event(&mut self.out);
        let prompt = self.prompts.prompt(text, record.head.at_ms, &self.session);
        let prompt = Prompt { attachments, ..prompt };
        self.out.push(self.told(record, vec![Part::Prompt(prompt)]));
    }

    /// An event, or the item in one, that may tell how a call ended, and how long that took.
    fn ended(&mut self, record: TranscriptRecord, event: &Payload<'_>, span_ms: Option<u64>) {
        let Some(mut ended) = ended(event, self.session.id()) else {
            self.out.push(record);
            return;
        };
        ended.result.duration_ms = ended.result.duration_ms.or(span_ms);
        let key = key(&ended.call.id);
        if let Some(told) = self.running.end(&ended.call.id, &ended.result) {
            self.answered.is_new(key);
            let result = result::joined(told, ended.result);
            self.out.push(self.told(record, vec![Part::Result(result)]));
        } else if self.answered.contains(key) {
            self.out.push(record);
        } else {
            let called = self.calls.contains(key);
            for over in self.held.hold(HeldEnd { record, ended, called }) {
                self.tell(over);
            }
        }
    }

    fn release(&mut self, called: bool) {
        for end in self.held.release(called) {
            self.tell(end);
        }
    }

    /// What an event alone tells of a call.
    fn tell(&mut self, end: HeldEnd) {
        let HeldEnd { record, ended: Ended { call, result }, called } = end;
        self.calls.is_new(key(&call.id));
        self.answered.is_new(key(&call.id));
        let mut parts = Vec::new();
        if !called {
            parts.push(Part::Call(call));
        }
        parts.push(Part::Result(result));
        self.out.push(self.told(record, parts));
    }
}

fn key(id: &str) -> u128 {
    hash(&[id.as_bytes()])
}
