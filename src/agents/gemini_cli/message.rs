//! A message of a chat, and what it says.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::item::{CallResult, Head, Part, Prompt, TranscriptRecord};
use crate::agents::import::loose::{List, Loose, Text, object, parsed};
use crate::agents::import::odd::{Count, Given, Stamp};
use crate::agents::import::whole::Once;
use crate::agents::import::{item, told};
use crate::event::{Outcome, Usage};

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Message<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    timestamp: Stamp<'a>,
    #[serde(rename = "type")]
    kind: Text<'a>,
    content: Option<&'a RawValue>,
    model: Text<'a>,
    thoughts: List<Loose<Thought<'a>>>,
    tokens: Given<Tokens>,
    tool_calls: List<Loose<ToolCall<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Thought<'a> {
    #[serde(borrow)]
    subject: Text<'a>,
    description: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input: Count,
    output: Count,
    cached: Count,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct ToolCall<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    name: Text<'a>,
    args: Option<&'a RawValue>,
    result: Option<&'a RawValue>,
    status: Text<'a>,
    timestamp: Stamp<'a>,
    result_display: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Responded<'a> {
    #[serde(borrow)]
    function_response: Loose<Response<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Response<'a> {
    #[serde(borrow)]
    response: Loose<Output<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Output<'a> {
    #[serde(borrow)]
    output: Text<'a>,
    error: Text<'a>,
}

impl Message<'_> {
    pub fn read(&self, line: u64, session: &str, ids: &mut Once, out: &mut Vec<TranscriptRecord>) {
        let head = Head {
            session: Some(session.to_owned()),
            model: self.model.to_text(),
            ..Head::at(&self.timestamp)
        };
        let text = told::text_of(self.content).unwrap_or_default();
        let known_by = self.id.to_text().unwrap_or_else(|| format!("{session}#{line}"));
        let by = known_by.clone();
        let mut parts = Vec::new();
        match self.kind.as_deref() {
            Some("user") if !text.trim().is_empty() => {
                let place = Some(format!("{session}#{known_by}"));
                parts.push(Part::Prompt(Prompt { text, place, ..Prompt::default() }));
            }
            Some("gemini") => {
                let (id, thinking) = (Some(known_by), self.thinking());
                let usage = self.tokens.get().map(Tokens::usage).unwrap_or_default();
                let said = item::Message { id, text, thinking, usage, ..Default::default() };
                parts.push(Part::Said(Box::new(said)));
                parts.extend(told::odd_tokens(&self.tokens, Tokens::odd));
            }
            _ => {}
        }
        if matches!(self.kind.as_deref(), Some("user" | "gemini")) {
            parts.extend(told::textless(self.content));
        }
        if self.tool_calls.0.iter().any(|call| call.0.is_none()) {
            parts.push(Part::unread("a tool call that is no object"));
        }
        out.push(TranscriptRecord { line, head: head.clone(), parts });
        let mut before: Vec<Option<String>> = Vec::new();
        for call in self.tool_calls.0.iter().filter_map(|call| call.0.as_ref()) {
            let id = call.id.to_text();
            let by = match before.iter().filter(|it| **it == id).count() {
                0 => by.clone(),
                count => format!("{by}.{}", count + 1),
            };
            before.push(id);
            let Head { at_ms, odd_time, .. } = Head::at(&call.timestamp);
            // Its message's own is told with that.
            let at_ms = if odd_time.is_none() { at_ms.or(head.at_ms) } else { None };
            // The line is counted with the message's own.
            let parts = call.parts(session, ids, &by);
            out.push(TranscriptRecord {
                line: 0,
                head: Head { at_ms, odd_time, ..head.clone() },
                parts,
            });
        }
    }

    fn thinking(&self) -> String {
        let of = |thought: &Thought<'_>| {
            let words = [thought.subject.to_text(), thought.description.to_text()];
            words.into_iter().flatten().collect::<Vec<_>>().join("\n")
        };
        let thoughts = self.thoughts.0.iter().filter_map(|it| it.0.as_ref()).map(of);
        thoughts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

impl Tokens {
    fn odd(&self) -> Option<Part> {
        let Self { input, output, cached } = *self;
        told::odd_usage(&[("input", input), ("output", output), ("cached", cached)])
    }

    /// What was read from a cache is among those of the input.
    fn usage(&self) -> Usage {
        let (input, cached) = (self.input.to_count(), self.cached.to_count());
        Usage {
            input: input.map(|tokens| tokens.saturating_sub(cached.unwrap_or(0))),
            output: self.output.to_count(),
            cache_read: cached,
            cache_write: None,
        }
    }
}

impl ToolCall<'_> {
    fn parts(&self, session: &str, ids: &mut Once, by: &str) -> Vec<Part> {
        let (Some(id), Some(name)) = (self.id.to_text(), self.name.to_text()) else {
            return vec![Part::unread("a tool call without id or name")];
        };
        let id = ids.id(session, id, by);
        let scope = Some(session.to_owned());
        let arguments = told::arguments(self.args, "args");
        let call = told::call(id.clone(), scope.clone(), &name, arguments);
        let is_shell = call.tool == "bash_exec";
        let mut parts = vec![Part::Call(call)];
        let (output, error) = self.printed();
        parts.extend(match self.status.as_deref() {
            Some("success") => {
                let exit_code = output.as_deref().filter(|_| is_shell).and_then(exit_code);
                Some(Part::Result(told::result(id, scope, exit_code, false, output)))
            }
            Some("error") => {
                Some(Part::Result(told::result(id, scope, None, true, error.or(output))))
            }
            Some("cancelled") => {
                let error = error.or(output).or_else(|| Some("cancelled".to_owned()));
                let result = CallResult::of(id, scope, Outcome::Refused);
                Some(Part::Result(CallResult { error, ..result }))
            }
            // It waited, or ran.
            _ => None,
        });
        parts
    }

    /// What it printed, and its error.
    fn printed(&self) -> (Option<String>, Option<String>) {
        let parts = self.result.and_then(|raw| parsed::<Vec<&RawValue>>(raw.get().as_bytes()));
        for part in parts.unwrap_or_default() {
            let part: Responded<'_> = object(part.get().as_bytes());
            let response = part.function_response.0.and_then(|it| it.response.0);
            if let Some(Output { output, error }) = response {
                return (output.to_text(), error.to_text());
            }
        }
        (told::text_of(self.result_display), None)
    }
}

/// The line of the shell tool's own report that tells it.
fn exit_code(output: &str) -> Option<i32> {
    let line = output.lines().rev().find_map(|line| line.strip_prefix("Exit Code: "))?;
    line.trim().parse().ok() // "(none)" is none
}
