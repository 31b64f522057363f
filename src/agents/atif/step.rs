//! A step of a trajectory, and what it says.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::item::{Message, Part, Prompt};
use crate::agents::import::loose::{Flag, List, Loose, Number, Text};
use crate::agents::import::odd::{Count, Given, Stamp};
use crate::agents::import::told;
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

impl Step<'_> {
    pub fn model(&self) -> Option<String> {
        self.model_name.to_text()
    }

    pub fn parts(&self, session: &str, number: u64) -> Vec<Part> {
        let step = self.step_id.to_count().unwrap_or(number);
        let text = told::text_of(self.message).unwrap_or_default();
        match self.source.as_deref() {
            _ if self.is_copied_context.0 => Vec::new(),
            Some("user") if !text.is_empty() => {
                let place = Some(format!("{session}#{step}"));
                let prompt = Part::Prompt(Prompt { text, place, ..Prompt::default() });
                std::iter::once(prompt).chain(told::textless(self.message)).collect()
            }
            Some("user") => told::textless(self.message).into_iter().collect(),
            Some("agent") => self.answer(session, step, text),
            _ => Vec::new(),
        }
    }

    fn answer(&self, session: &str, step: u64, text: String) -> Vec<Part> {
        let thinking = self.reasoning_content.to_text().unwrap_or_default();
        let usage = self.metrics.get().map(Metrics::usage).unwrap_or_default();
        let id = Some(format!("{session}#{step}"));
        let message = Message { id, text, thinking, usage, ..Message::default() };
        let mut parts = vec![Part::Said(Box::new(message))];
        parts.extend(told::odd_tokens(&self.metrics, Metrics::odd));
        parts.extend(told::textless(self.message));
        let scope = || Some(session.to_owned());
        let calls: Vec<_> = self.tool_calls.0.iter().filter_map(|it| it.0.as_ref()).collect();
        for call in &calls {
            let (id, tool) = (call.tool_call_id.to_text(), call.function_name.to_text());
            let (Some(id), Some(tool)) = (id, tool) else {
                parts.push(Part::unread("a call without tool_call_id or function_name"));
                continue;
            };
            let arguments = told::arguments(call.arguments, "arguments");
            parts.push(Part::Call(told::call(id, scope(), &tool, arguments)));
        }
        let results = self.observation.0.iter().flat_map(|it| &it.results.0);
        for observed in results.filter_map(|it| it.0.as_ref()) {
            // Where there is one call, the step's observation is its.
            let only = calls.first().filter(|_| calls.len() == 1);
            let only = only.and_then(|call| call.tool_call_id.to_text());
            let Some(id) = observed.source_call_id.to_text().or(only) else {
                parts.push(Part::unread("an observation that names none of several calls"));
                continue;
            };
            parts.extend(told::textless(observed.content));
            let printed = told::text_of(observed.content);
            parts.push(Part::Result(told::result(id, scope(), None, false, printed)));
        }
        let results = self.observation.0.as_ref().map(|it| &it.results.0);
        let is_odd = self.tool_calls.0.len() > calls.len()
            || results.is_some_and(|it| it.iter().any(|it| it.0.is_none()));
        parts.extend(is_odd.then(|| Part::unread("a call or a result that is no object")));
        parts
    }
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
