//! A step of a trajectory, and what it says.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::item::{Message, Part, Prompt};
use crate::agents::import::loose::{Flag, List, Loose, Number, Text};
use crate::agents::import::odd::Stamp;
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
    metrics: Loose<Metrics>,
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
    prompt_tokens: Number,
    completion_tokens: Number,
    cached_tokens: Number,
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
                vec![Part::Prompt(Prompt { text, place, ..Prompt::default() })]
            }
            Some("agent") => self.answer(session, step, text),
            _ => Vec::new(),
        }
    }

    fn answer(&self, session: &str, step: u64, text: String) -> Vec<Part> {
        let thinking = self.reasoning_content.to_text().unwrap_or_default();
        let usage = self.metrics.0.as_ref().map(Metrics::usage).unwrap_or_default();
        let id = Some(format!("{session}#{step}"));
        let message = Message { id, text, thinking, usage, ..Message::default() };
        let mut parts = vec![Part::Said(Box::new(message))];
        let scope = || Some(session.to_owned());
        let calls: Vec<_> = self.tool_calls.0.iter().filter_map(|it| it.0.as_ref()).collect();
        for call in &calls {
            let (id, tool) = (call.tool_call_id.to_text(), call.function_name.to_text());
            let (Some(id), Some(tool)) = (id, tool) else { continue };
            let arguments = told::arguments(call.arguments, "arguments");
            parts.push(Part::Call(told::call(id, scope(), &tool, arguments)));
        }
        let results = self.observation.0.iter().flat_map(|it| &it.results.0);
        for observed in results.filter_map(|it| it.0.as_ref()) {
            // Where there is one call, the step's observation is its.
            let only = calls.first().filter(|_| calls.len() == 1);
            let only = only.and_then(|call| call.tool_call_id.to_text());
            let Some(id) = observed.source_call_id.to_text().or(only) else { continue };
            let printed = told::text_of(observed.content);
            parts.push(Part::Result(told::result(id, scope(), None, false, printed)));
        }
        parts
    }
}

impl Metrics {
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
