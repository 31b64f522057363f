//! Events as OpenHands wrote them before its agent SDK: `{id, action, args, …}` and `{id, cause, observation, content, …}`.
//!
//! An id is the event's place in its conversation, which nothing names: the first event's time does.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::event::call;
use crate::agents::import::item::{CallResult, Head, Message, Part, Prompt, TranscriptRecord};
use crate::agents::import::loose::{Loose, Number, Text, object};
use crate::agents::import::odd::Stamp;
use crate::agents::import::told;
use crate::event::Outcome;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Older<'a> {
    id: Number,
    #[serde(borrow)]
    timestamp: Stamp<'a>,
    source: Text<'a>,
    action: Text<'a>,
    args: Option<&'a RawValue>,
    cause: Number,
    observation: Text<'a>,
    content: Option<&'a RawValue>,
    extras: Loose<Extras>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Args<'a> {
    #[serde(borrow)]
    content: Text<'a>,
    thought: Text<'a>,
    final_thought: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Extras {
    exit_code: Number,
    metadata: Loose<Metadata>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    exit_code: Number,
}

impl Older<'_> {
    pub fn is_whole(&self) -> bool {
        let is_event = self.action.0.is_some() || self.observation.0.is_some();
        is_event && self.id.to_count().is_some() && self.timestamp.0.is_some()
    }

    /// What its conversation is called, where it is the first.
    pub fn session(&self) -> String {
        self.timestamp.as_deref().unwrap_or_default().to_owned()
    }

    pub fn read(&self, line: u64, session: &str) -> TranscriptRecord {
        // One without a zone is no moment.
        let head = Head { session: Some(session.to_owned()), ..Head::at(&self.timestamp) };
        let id = self.id.to_count().unwrap_or(line);
        let parts = match (self.action.as_deref(), self.observation.as_deref()) {
            (Some(action), _) => self.action(action, id, session),
            (None, Some(observation)) => self.observed(observation, session).into_iter().collect(),
            (None, None) => Vec::new(),
        };
        TranscriptRecord { line, head, parts }
    }

    fn action(&self, action: &str, id: u64, session: &str) -> Vec<Part> {
        let raw = self.args.map(RawValue::get).unwrap_or_default();
        let args: Args<'_> = object(raw.as_bytes());
        let place = format!("{session}#{id}");
        let said = |text: Option<String>, thinking: Option<String>| {
            let (text, thinking) = (text.unwrap_or_default(), thinking.unwrap_or_default());
            let is_said = !text.is_empty() || !thinking.is_empty();
            let id = Some(place.clone());
            let said = Message { id, text, thinking, ..Message::default() };
            is_said.then(|| Part::Said(Box::new(said))).into_iter()
        };
        match action {
            "message" if self.source.as_deref() == Some("user") => {
                let text = args.content.to_text().unwrap_or_default();
                let prompt = Prompt { text, place: Some(place), ..Prompt::default() };
                Some(Part::Prompt(prompt))
                    .filter(|_| args.content.to_text().is_some())
                    .into_iter()
                    .collect()
            }
            "message" => said(args.content.to_text(), None).collect(),
            "think" => said(None, args.thought.to_text()).collect(),
            "finish" => {
                said(args.final_thought.to_text().or(args.thought.to_text()), None).collect()
            }
            // What the program did around the agent.
            "system"
            | "recall"
            | "null"
            | "change_agent_state"
            | "condensation"
            | "condensation_request"
            | "loop_recovery" => Vec::new(),
            tool => {
                let arguments = told::arguments(self.args, "arguments");
                let mut call = call(format!("event {id}"), session, tool, arguments);
                if tool == "run" {
                    call.tool = "bash_exec".to_owned();
                }
                said(args.thought.to_text(), None).chain([Part::Call(call)]).collect()
            }
        }
    }

    fn observed(&self, observation: &str, session: &str) -> Option<Part> {
        let id = format!("event {}", self.cause.to_count()?);
        let (scope, printed) = (Some(session.to_owned()), told::text_of(self.content));
        let extras = self.extras.0.as_ref();
        let metadata = extras.and_then(|it| it.metadata.0.as_ref());
        // -1 stands for none.
        let codes = [extras.map(|it| it.exit_code), metadata.map(|it| it.exit_code)];
        let code = codes.into_iter().flatten().find_map(Number::to_count);
        Some(Part::Result(match observation {
            "think" | "recall" | "null" | "agent_state_changed" | "condense" => return None,
            "user_rejected" => {
                CallResult { error: printed, ..CallResult::of(id, scope, Outcome::Refused) }
            }
            _ => {
                let code = code.and_then(|code| i32::try_from(code).ok()); // none that ended so
                told::result(id, scope, code, observation == "error", printed)
            }
        }))
    }
}
