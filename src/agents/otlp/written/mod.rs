//! A journal's sessions as OpenTelemetry's spans, in the order in which they began.

mod call;
mod gate;
mod json;
mod memory;
mod protobuf;
mod session;
mod span;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use super::names;
use crate::agents::outward::Plan;
use crate::event::wire::hex_text;
use crate::event::{Body, Recorded, SessionId};
use crate::execution::replay::{Contents, Walk, What, Window};
use crate::journal::JournalError;
use span::{Span, Value};

const SCOPE: &str = "annals";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A request has so many spans, and of their text so much, or one.
const SPANS_MAX: usize = 512;
const BYTES_MAX: usize = 1 << 20;

/// Where spans come from: their resource.
pub struct Origin {
    journal: [u8; 16],
    machine: String,
}

impl Origin {
    fn attributes(&self) -> Vec<(&'static str, Value)> {
        let text = |text: &str| Value::Text(text.to_owned());
        let mut told = vec![("service.name", text("annals"))];
        if !self.machine.is_empty() {
            told.push(("host.name", text(&self.machine)));
        }
        told.push(("annals.journal", text(&hex_text(&self.journal))));
        told
    }
}

/// How requests are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Json,
    Protobuf,
}

/// What is told.
#[derive(Clone, Copy, Debug)]
pub struct Which {
    /// Arguments, what was printed, prompts, answers and memories: the conventions let a person opt in.
    pub content: bool,
    /// What agents said.
    pub answers: bool,
}

/// A request, and how many spans are in it.
pub struct Request {
    pub bytes: Vec<u8>,
    pub spans: u64,
}

/// Gives the spans of a part of a journal, request by request. `walk` is as [`Plan::window`] says.
pub fn write<E: From<JournalError>>(
    walk: &mut Walk,
    plan: &Plan,
    part: &Window,
    which: Which,
    encoding: Encoding,
    put: &mut dyn FnMut(Request) -> Result<(), E>,
) -> Result<(), E> {
    let origin = Origin { journal: walk.id(), machine: plan.machine.clone() };
    let mut batch = Batch { origin: &origin, encoding, spans: Vec::new(), bytes: 0 };
    let mut telling = Telling {
        plan,
        which,
        contents: walk.contents().clone(),
        journal: origin.journal,
        turns: HashMap::new(),
        told: HashSet::new(),
    };
    while let Some(step) = walk.next() {
        let What::Event(recorded) = step?.what else { continue };
        let span = match telling.plan.call(&recorded, walk)? {
            Some(call) => {
                let place = call.ended.as_ref().unwrap_or(&recorded);
                part.holds(place).then(|| telling.call(&call, recorded.event.envelope.session))
            }
            None => telling.span(&recorded).filter(|_| part.holds(&recorded)),
        };
        let Some(span) = span else { continue };
        let root = recorded.event.envelope.session.and_then(|session| telling.root(session));
        for span in root.into_iter().chain([span]) {
            batch.add(span, put)?;
        }
    }
    batch.flush(put)
}

struct Batch<'a> {
    origin: &'a Origin,
    encoding: Encoding,
    spans: Vec<Span>,
    bytes: usize,
}

impl Batch<'_> {
    fn add<E>(
        &mut self,
        span: Span,
        put: &mut dyn FnMut(Request) -> Result<(), E>,
    ) -> Result<(), E> {
        let bytes = span.bytes();
        if self.spans.len() >= SPANS_MAX || self.bytes + bytes > BYTES_MAX {
            self.flush(put)?;
        }
        self.bytes += bytes;
        self.spans.push(span);
        Ok(())
    }

    fn flush<E>(&mut self, put: &mut dyn FnMut(Request) -> Result<(), E>) -> Result<(), E> {
        self.bytes = 0;
        let spans = std::mem::take(&mut self.spans);
        if spans.is_empty() {
            return Ok(());
        }
        let bytes = match self.encoding {
            Encoding::Json => json::request(self.origin, &spans).into_bytes(),
            Encoding::Protobuf => protobuf::request(self.origin, &spans),
        };
        put(Request { bytes, spans: spans.len() as u64 })
    }
}

/// What spans are made by.
struct Telling<'p> {
    plan: &'p Plan,
    which: Which,
    contents: Contents,
    journal: [u8; 16],
    /// Of each session the span of its turn.
    turns: HashMap<SessionId, [u8; 8]>,
    /// Sessions whose own spans are told.
    told: HashSet<SessionId>,
}

impl Telling<'_> {
    /// The span of an event that is no call's.
    fn span(&mut self, recorded: &Recorded) -> Option<Span> {
        match &recorded.event.body {
            Body::PromptSubmitted(prompt) => Some(self.prompt(recorded, prompt)),
            Body::AssistantSaid(said) => {
                let is_told = self.which.answers && self.plan.is_last(recorded.sequence);
                is_told.then(|| self.said(recorded, said))
            }
            body if body.memory_origin().is_some() => self.memory(recorded),
            _ => self.gate(recorded),
        }
    }

    /// A span of a moment, in the trace and below the turn of its session.
    fn beneath(&self, session: Option<SessionId>, id: [u8; 8], name: String, at_ms: u64) -> Span {
        let Some(session) = session else {
            return Span::at(span::trace_beside(&self.journal), id, name, at_ms);
        };
        let mut told = Span::at(span::trace_of(session), id, name, at_ms);
        let turn = self.turns.get(&session).copied();
        told.parent = Some(turn.unwrap_or_else(|| span::session_span(session)));
        told.text(names::CONVERSATION, self.native(session));
        told.text(names::SESSION, session.to_string());
        told
    }

    /// The agent's own name of a session, or ours.
    fn native(&self, session: SessionId) -> String {
        let known = self.plan.session(session).map(|it| it.facts.native_id.as_str());
        known.filter(|it| !it.is_empty()).map_or_else(|| session.to_string(), str::to_owned)
    }

    fn agent(&self, session: Option<SessionId>) -> Option<&str> {
        let known = self.plan.session(session?)?;
        Some(known.facts.agent.as_str()).filter(|it| !it.is_empty())
    }
}
