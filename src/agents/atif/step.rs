//! A step of a trajectory, and what it says.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::own::{End, Own};
use crate::agents::import::item::{Head, Message, Part, Prompt, TranscriptRecord};
use crate::agents::import::limits::OPEN_CALLS_MAX;
use crate::agents::import::loose::{Flag, List, Loose, Number, Text};
use crate::agents::import::odd::{Count, Given, Stamp};
use crate::agents::import::whole::{Held, Once};
use crate::agents::import::{named, told};
use crate::event::Usage;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Step<'a> {
    step_id: Number,
    #[serde(borrow)]
    pub timestamp: Stamp<'a>,
    source: Text<'a>,
    model_name: Text<'a>,
    message: Option<&'a RawValue>,
    reasoning_content: Text<'a>,
    tool_calls: List<Loose<ToolCall<'a>>>,
    observation: Loose<Observation<'a>>,
    metrics: Given<Metrics>,
    /// It was copied from the trajectory before, which has it itself.
    is_copied_context: Flag,
    extra: Loose<Extra<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolCall<'a> {
    #[serde(borrow)]
    tool_call_id: Text<'a>,
    function_name: Text<'a>,
    arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Observation<'a> {
    #[serde(borrow)]
    results: List<Loose<Observed<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Observed<'a> {
    #[serde(borrow)]
    source_call_id: Text<'a>,
    content: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metrics {
    prompt_tokens: Count,
    completion_tokens: Count,
    cached_tokens: Count,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Extra<'a> {
    #[serde(borrow)]
    annals: Loose<Own<'a>>,
}

/// What steps before tell of those behind them.
#[derive(Debug, Default)]
pub struct Known {
    pub held: Held,
    ids: Once,
    /// Calls by their executions, for what subagents did in them.
    calls: HashMap<String, String>,
}

impl Known {
    fn remember(&mut self, execution: Option<String>, call: String) {
        if self.calls.len() >= OPEN_CALLS_MAX {
            self.calls.clear();
        }
        self.calls.extend(execution.map(|execution| (execution, call)));
    }
}

impl Step<'_> {
    /// The model, where `known` is that of steps that name none.
    pub fn model(&self, known: &Option<String>) -> Option<String> {
        // Ours always name it.
        let known = known.clone().filter(|_| self.own().is_none());
        self.model_name.to_text().or(known)
    }

    fn own(&self) -> Option<&Own<'_>> {
        self.extra.0.as_ref()?.annals.0.as_ref()
    }

    /// What a step says, by the head of its records.
    pub fn read(
        &self,
        number: u64,
        head: Head,
        known: &mut Known,
        out: &mut Vec<TranscriptRecord>,
    ) {
        let session = head.session.clone().unwrap_or_default();
        let mut head = Head { actor: self.own().and_then(|own| own.actor.to_text()), ..head };
        head.task = self.own().and_then(|own| known.calls.get(own.parent.as_deref()?).cloned());
        let step = self.step_id.to_count().unwrap_or(number);
        let text = told::text_of(self.message).unwrap_or_default();
        let mut parts = Vec::new();
        match self.source.as_deref() {
            _ if self.is_copied_context.0 => {}
            Some("user") if !text.is_empty() => {
                let place = Some(format!("{session}#{step}"));
                let known_by = self.own().and_then(|own| own.prompt_id.to_text());
                parts.push(Part::Prompt(Prompt { known_by, text, place, ..Prompt::default() }));
                parts.extend(told::textless(self.message));
            }
            Some("user") => parts.extend(told::textless(self.message)),
            Some("agent") => {
                parts.push(Part::Said(Box::new(self.said(&session, step, text))));
                parts.extend(told::odd_tokens(&self.metrics, Metrics::odd));
                parts.extend(told::textless(self.message));
                let record = TranscriptRecord { line: number, head, parts };
                return self.answer(record, number, known, out);
            }
            _ => {}
        }
        known.held.tell(TranscriptRecord { line: number, head, parts }, out);
    }

    fn said(&self, session: &str, step: u64, text: String) -> Message {
        let thinking = self.reasoning_content.to_text().unwrap_or_default();
        let mut usage = self.metrics.get().map(Metrics::usage).unwrap_or_default();
        let mut id = None;
        let mut stop_reason = None;
        if let Some(own) = self.own() {
            (id, stop_reason) = (own.message_id.to_text(), own.stop_reason.to_text());
            usage.cache_write = own.cache_write_tokens.to_count();
            let written = usage.cache_write.unwrap_or(0);
            usage.input = usage.input.map(|tokens| tokens.saturating_sub(written));
        }
        let id = id.or_else(|| Some(format!("{session}#{step}")));
        Message { id, text, thinking, usage, stop_reason, ..Message::default() }
    }

    /// Calls and results beside what was said; at times of their own where those are told.
    fn answer(
        &self,
        mut said: TranscriptRecord,
        step: u64,
        known: &mut Known,
        out: &mut Vec<TranscriptRecord>,
    ) {
        let ends: HashMap<&str, &End<'_>> = self.own().map(Own::ends).unwrap_or_default();
        let head = said.head.clone();
        let scope = || head.session.clone();
        let session = head.session.clone().unwrap_or_default();
        let (mut told_before, mut observed_before) = (HashMap::new(), HashMap::new());
        let mut own = Vec::new();
        let at = |at_ms: Option<u64>, part| {
            let head = Head { at_ms: at_ms.or(head.at_ms), odd_time: None, ..head.clone() };
            TranscriptRecord { line: 0, head, parts: vec![part] }
        };
        let calls: Vec<_> = self.tool_calls.0.iter().filter_map(|it| it.0.as_ref()).collect();
        for call in &calls {
            let (id, tool) = (call.tool_call_id.to_text(), call.function_name.to_text());
            let (Some(id), Some(tool)) = (id, tool) else {
                said.parts.push(Part::unread("a call without tool_call_id or function_name"));
                continue;
            };
            let end = ends.get(id.as_str());
            let arguments = told::arguments(call.arguments, "arguments");
            let mut call = told::call(id.clone(), scope(), &tool, arguments);
            let Some(end) = end else {
                let by = nth(step, &id, &mut told_before);
                call.id = known.ids.id(&session, id, &by);
                said.parts.push(Part::Call(call));
                continue;
            };
            end.call(&mut call);
            known.remember(end.execution.to_text(), named(call.scope.as_deref(), &call.id));
            let mut began = at(end.began.to_unix_ms(), Part::Call(call));
            began.head.branch = end.branch.to_text().or(began.head.branch);
            own.push((false, began));
            let mut observed = self.observation.0.iter().flat_map(|it| &it.results.0);
            let observed = observed.find_map(|it| {
                let it = it.0.as_ref()?;
                (it.source_call_id.as_deref() == Some(&id)).then(|| told::text_of(it.content))
            });
            if let Some(result) = end.result(id, scope(), observed.flatten()) {
                own.push((true, at(end.ended.to_unix_ms(), Part::Result(result))));
            }
        }
        let results = self.observation.0.iter().flat_map(|it| &it.results.0);
        for observed in results.filter_map(|it| it.0.as_ref()) {
            // Where there is one call, the step's observation is its.
            let only = calls.first().filter(|_| calls.len() == 1);
            let only = only.and_then(|call| call.tool_call_id.to_text());
            let Some(id) = observed.source_call_id.to_text().or(only) else {
                said.parts.push(Part::unread("an observation that names none of several calls"));
                continue;
            };
            said.parts.extend(told::textless(observed.content));
            if !ends.contains_key(id.as_str()) {
                let printed = told::text_of(observed.content);
                let by = nth(step, &id, &mut observed_before);
                let id = known.ids.id(&session, id, &by);
                let result = told::result(id, scope(), None, false, printed);
                said.parts.push(Part::Result(result));
            }
        }
        let results = self.observation.0.as_ref().map(|it| &it.results.0);
        let is_odd = self.tool_calls.0.len() > calls.len()
            || results.is_some_and(|it| it.iter().any(|it| it.0.is_none()));
        said.parts.extend(is_odd.then(|| Part::unread("a call or a result that is no object")));
        known.held.tell(said, out);
        for (is_result, record) in own {
            match is_result {
                true => known.held.hold(record, out),
                false => known.held.tell(record, out),
            }
        }
    }
}

/// A step, and of calls of one id in it which.
fn nth(step: u64, id: &str, before: &mut HashMap<String, u32>) -> String {
    let count = before.entry(id.to_owned()).or_default();
    *count += 1;
    if *count == 1 { step.to_string() } else { format!("{step}.{count}") }
}

impl Metrics {
    fn odd(&self) -> Option<Part> {
        told::odd_usage(&[
            ("prompt_tokens", self.prompt_tokens),
            ("completion_tokens", self.completion_tokens),
            ("cached_tokens", self.cached_tokens),
        ])
    }

    /// What was read from a cache is among the tokens of the prompt.
    fn usage(&self) -> Usage {
        let (prompt, cached) = (self.prompt_tokens.to_count(), self.cached_tokens.to_count());
        Usage {
            input: prompt.map(|tokens| tokens.saturating_sub(cached.unwrap_or(0))),
            output: self.completion_tokens.to_count(),
            cache_read: cached,
            cache_write: None,
        }
    }
}
