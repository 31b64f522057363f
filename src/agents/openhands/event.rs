//! One event, and what it says.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::item::{
    Call, CallResult, Compaction, Head, Message, Part, Prompt, TranscriptRecord,
};
use crate::agents::import::loose::{Flag, Loose, Number, Text, object};
use crate::agents::import::odd::Stamp;
use crate::agents::import::told;
use crate::event::Outcome;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Event<'a> {
    #[serde(borrow)]
    pub id: Text<'a>,
    timestamp: Stamp<'a>,
    source: Text<'a>,
    kind: Text<'a>,
    thought: Option<&'a RawValue>,
    reasoning_content: Text<'a>,
    llm_response_id: Text<'a>,
    tool_name: Text<'a>,
    tool_call_id: Text<'a>,
    tool_call: Loose<ToolCall<'a>>,
    action: Option<&'a RawValue>,
    observation: Loose<Observation<'a>>,
    error: Text<'a>,
    rejection_reason: Text<'a>,
    llm_message: Loose<Said<'a>>,
    summary: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolCall<'a> {
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Observation<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    is_error: Flag,
    exit_code: Number,
    metadata: Loose<Metadata<'a>>,
    /// Of the tool that edits files: whether it was there before.
    prev_exist: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata<'a> {
    exit_code: Number,
    #[serde(borrow)]
    working_dir: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Said<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    reasoning_content: Text<'a>,
}

/// The arguments of the tool that edits files.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Edit<'a> {
    #[serde(borrow)]
    command: Text<'a>,
    path: Text<'a>,
}

impl Event<'_> {
    pub fn is_whole(&self) -> bool {
        let Self { id, timestamp, source, kind, .. } = self;
        [id, source, kind].iter().all(|it| it.as_deref().is_some()) && timestamp.0.is_some()
    }

    pub fn read(&self, line: u64, session: &str) -> TranscriptRecord {
        let mut head = Head {
            session: Some(session.to_owned()),
            // One without a zone is no moment.
            ..Head::at(&self.timestamp)
        };
        let parts = match self.kind.as_deref().unwrap_or_default() {
            "ActionEvent" => self.action(session),
            "ObservationEvent" => {
                let metadata = self.observation.0.as_ref().and_then(|it| it.metadata.0.as_ref());
                head.cwd = metadata.and_then(|it| it.working_dir.to_text());
                let content = self.observation.0.as_ref().and_then(|it| it.content);
                let parts = [self.observed(session).or_else(unnamed), told::textless(content)];
                parts.into_iter().flatten().collect()
            }
            "AgentErrorEvent" => {
                let result = |id| {
                    told::result(id, Some(session.to_owned()), None, true, self.error.to_text())
                };
                let told = self.tool_call_id.to_text().map(result).map(Part::Result);
                told.or_else(unnamed).into_iter().collect()
            }
            "UserRejectObservation" => {
                self.rejected(session).or_else(unnamed).into_iter().collect()
            }
            "MessageEvent" => self.message(session),
            "Condensation" => self.condensed().into_iter().collect(),
            _ => Vec::new(),
        };
        TranscriptRecord { line, head, parts }
    }

    fn action(&self, session: &str) -> Vec<Part> {
        let text = told::text_of(self.thought).unwrap_or_default();
        let thinking = self.reasoning_content.to_text().unwrap_or_default();
        let id = self.llm_response_id.to_text().or_else(|| self.id.to_text());
        let mut parts = Vec::new();
        // Several calls of one answer each have an event, and the first of them what was said.
        if !text.is_empty() || !thinking.is_empty() {
            let message = Message { id, text, thinking, ..Message::default() };
            parts.push(Part::Said(Box::new(message)));
        }
        let (id, tool) = (self.tool_call_id.to_text(), self.tool_name.to_text());
        let (Some(id), Some(tool)) = (id, tool) else {
            parts.push(Part::unread("an action without tool_call_id or tool_name"));
            return parts;
        };
        parts.extend(told::textless(self.thought));
        let arguments = self.tool_call.0.as_ref().and_then(|it| it.arguments).or(self.action);
        parts.push(Part::Call(call(id, session, &tool, told::arguments(arguments, "arguments"))));
        parts
    }

    fn observed(&self, session: &str) -> Option<Part> {
        let id = self.tool_call_id.to_text()?;
        let Some(observation) = &self.observation.0 else {
            return Some(Part::Result(told::result(
                id,
                Some(session.to_owned()),
                None,
                false,
                None,
            )));
        };
        let code = |number: Number| number.to_count().and_then(|code| i32::try_from(code).ok());
        let metadata = observation.metadata.0.as_ref();
        // -1 stands for none.
        let exit_code =
            code(observation.exit_code).or_else(|| metadata.and_then(|it| code(it.exit_code)));
        let printed = told::text_of(observation.content);
        let (scope, is_error) = (Some(session.to_owned()), observation.is_error.0);
        let mut result = told::result(id, scope, exit_code, is_error, printed);
        result.created = observation.prev_exist.is_some_and(|it| it.get() == "false");
        Some(Part::Result(result))
    }

    fn rejected(&self, session: &str) -> Option<Part> {
        let (id, scope) = (self.tool_call_id.to_text()?, Some(session.to_owned()));
        let error = self.rejection_reason.to_text();
        Some(Part::Result(CallResult { error, ..CallResult::of(id, scope, Outcome::Refused) }))
    }

    fn message(&self, session: &str) -> Vec<Part> {
        let (Some(id), Some(said)) = (self.id.to_text(), self.llm_message.0.as_ref()) else {
            return vec![Part::unread("a message without llm_message")];
        };
        let mut parts: Vec<_> = told::textless(said.content).into_iter().collect();
        let text = told::text_of(said.content).unwrap_or_default();
        if self.source.as_deref() == Some("user") {
            let place = Some(format!("{session}#{id}"));
            let prompt = Prompt { text, place, ..Prompt::default() };
            parts.extend(Some(Part::Prompt(prompt)).filter(|_| !said.is_empty()));
            return parts;
        }
        let thinking = said.reasoning_content.to_text().unwrap_or_default();
        let message = Message { id: Some(id), text, thinking, ..Message::default() };
        parts.push(Part::Said(Box::new(message)));
        parts
    }

    fn condensed(&self) -> Option<Part> {
        let id = self.id.to_text()?;
        let summary = self.summary.to_text().unwrap_or_default();
        Some(Part::Compacted(Compaction { id, summary, ..Compaction::default() }))
    }
}

impl Said<'_> {
    fn is_empty(&self) -> bool {
        told::text_of(self.content).is_none_or(|text| text.trim().is_empty())
    }
}

fn unnamed() -> Option<Part> {
    Some(Part::unread("a result without tool_call_id"))
}

/// The tool that edits files is several in one.
pub fn call(id: String, session: &str, native: &str, arguments: String) -> Call {
    let mut call = told::call(id, Some(session.to_owned()), native, arguments);
    if !matches!(native, "file_editor" | "str_replace_editor") {
        return call;
    }
    let edit: Edit<'_> = object(call.arguments.as_bytes());
    let (path, command) = (edit.path.to_text(), edit.command.to_text());
    call.tool = match command.as_deref() {
        Some("view") => "file_read".to_owned(),
        Some("create") => "file_write".to_owned(),
        Some("str_replace" | "insert" | "undo_edit") => "file_edit".to_owned(),
        _ => return call,
    };
    if call.tool != "file_read" {
        call.changes = path.iter().map(|path| told::changed(path, false)).collect();
    }
    call
}
