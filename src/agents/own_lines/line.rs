//! A line, and what it says.

use data_encoding::BASE64;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Corrections;
use crate::agents::import::item::{
    Call, CallResult, Compaction, Head, Message, Part, Prompt, Title,
};
use crate::agents::import::loose::{Flag, List, Loose, Number, Text};
use crate::agents::import::odd::Stamp;
use crate::agents::import::told;
use crate::event::wire::unhex;
use crate::event::{Attachment, Change, ExecutionId, Json, Outcome, Usage, tool};

#[derive(Debug, Deserialize)]
pub struct Line<'a> {
    #[serde(borrow)]
    kind: Text<'a>,
    at: Stamp<'a>,
    #[serde(default)]
    raw_at: Text<'a>,
    session: Text<'a>,
    body: Body<'a>,
}

/// The fields of every kind that is read: no two kinds mean something else by one name.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Body<'a> {
    #[serde(borrow)]
    agent: Text<'a>,
    agent_version: Text<'a>,
    native_id: Text<'a>,
    model: Text<'a>,
    parent: Text<'a>,
    cwd: Text<'a>,
    branch: Text<'a>,
    title: Text<'a>,
    actor: Text<'a>,
    text: Loose<Content<'a>>,
    thinking: Loose<Content<'a>>,
    summary: Loose<Content<'a>>,
    attachments: List<Loose<Attached<'a>>>,
    stop_reason: Text<'a>,
    usage: Loose<Tokens>,
    trigger: Text<'a>,
    tokens_before: Number,
    execution: Text<'a>,
    tool: Text<'a>,
    native_tool: Text<'a>,
    arguments: Option<&'a RawValue>,
    paths: List<Text<'a>>,
    outcome: Text<'a>,
    exit_code: Option<&'a RawValue>,
    duration_ms: Number,
    error: Text<'a>,
    reason: Text<'a>,
    stdout: Loose<Content<'a>>,
    stderr: Loose<Content<'a>>,
    diagnostics: Option<&'a RawValue>,
    changed: List<Loose<Changed<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Content<'a> {
    #[serde(borrow)]
    encoding: Text<'a>,
    data: Text<'a>,
    tail: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Attached<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    media_type: Text<'a>,
    bytes: Number,
    digest: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Tokens {
    input: Number,
    output: Number,
    cache_read: Number,
    cache_write: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Changed<'a> {
    #[serde(borrow)]
    path: Text<'a>,
    created: Flag,
}

/// As much of a correction as says what it is of.
#[derive(Debug, Deserialize)]
pub struct Correction<'a> {
    #[serde(borrow)]
    body: Corrects<'a>,
}

#[derive(Debug, Deserialize)]
struct Corrects<'a> {
    #[serde(borrow)]
    execution: Text<'a>,
    corrects: Text<'a>,
}

impl Correction<'_> {
    pub fn ids(&self) -> Option<(String, String)> {
        self.body.execution.to_text().zip(self.body.corrects.to_text())
    }
}

impl Line<'_> {
    /// What it says of its session, and what else; `None` where it is no event. `nameless` is the session of calls and
    /// texts that are of none.
    pub fn read(&self, corrections: &Corrections, nameless: &str) -> Option<(Head, Option<Part>)> {
        let (kind, body) = (self.kind.as_deref()?, &self.body);
        self.at.0.as_ref()?;
        let mut head = Head {
            session: self.session.to_text(),
            actor: body.actor.to_text(),
            // Of what no source told a time it is only a place in an order.
            is_untimed: self.raw_at.to_unix_ms() == Some(0),
            ..Head::at(&self.at)
        };
        let part = match kind {
            "SessionStarted" => {
                let agent = body.agent.to_text().unwrap_or_default();
                let version = body.agent_version.to_text();
                head.agent_version = version.map(|it| format!("{agent} {it}").trim().to_owned());
                (head.cwd, head.branch) = (body.cwd.to_text(), body.branch.to_text());
                (head.model, head.parent_session) = (body.model.to_text(), body.parent.to_text());
                body.title.to_text().map(|text| Part::Title(Title { text, leaf: None }))
            }
            "PromptSubmitted" => Some(Part::Prompt(body.prompt(&head))),
            "AssistantSaid" => {
                (head.model, head.task) = (body.model.to_text(), body.parent.to_text());
                Some(Part::Said(Box::new(body.said())))
            }
            "Compacted" => Some(Part::Compacted(Compaction {
                id: body.native_id.to_text()?,
                trigger: body.trigger.to_text(),
                tokens_before: body.tokens_before.to_count(),
                summary: body.summary.0.as_ref().map(Content::text).unwrap_or_default(),
            })),
            "ExecutionStarted" => {
                (head.branch, head.task) = (body.branch.to_text(), body.parent.to_text());
                Some(Part::Call(body.call()?))
            }
            "ExecutionFinished" | "ExecutionInterrupted" => {
                let execution = body.execution.to_text()?;
                match corrections.is_corrected(&execution) {
                    true => None,
                    false => Some(Part::Result(body.result(execution)?)),
                }
            }
            "ExecutionCorrected" => match corrections.call_of(body.execution.as_deref()?) {
                Some(call) => Some(Part::Result(body.result(call.to_owned())?)),
                None => None,
            },
            // Everything else is told of the journal that it was told of.
            _ => None,
        };
        match part {
            Some(_) => {
                head.session.get_or_insert_with(|| nameless.to_owned());
            }
            None if kind == "SessionStarted" => {}
            // What is not read says nothing of its session either.
            None => head = Head::default(),
        }
        Some((head, part))
    }
}

impl Body<'_> {
    fn prompt(&self, head: &Head) -> Prompt {
        let attached = self.attachments.0.iter().filter_map(|it| it.0.as_ref());
        Prompt {
            known_by: self.native_id.to_text(),
            text: self.text.0.as_ref().map(Content::text).unwrap_or_default(),
            place: head.session.clone(),
            attachments: attached.filter_map(Attached::read).collect(),
        }
    }

    fn said(&self) -> Message {
        let usage = self.usage.0.as_ref();
        let count = |of: fn(&Tokens) -> Number| usage.and_then(|it| of(it).to_count());
        Message {
            id: self.native_id.to_text(),
            text: self.text.0.as_ref().map(Content::text).unwrap_or_default(),
            thinking: self.thinking.0.as_ref().map(Content::text).unwrap_or_default(),
            stop_reason: self.stop_reason.to_text(),
            usage: Usage {
                input: count(|it| it.input),
                output: count(|it| it.output),
                cache_read: count(|it| it.cache_read),
                cache_write: count(|it| it.cache_write),
            },
            ..Message::default()
        }
    }

    fn call(&self) -> Option<Call> {
        let name = self.tool.to_text()?;
        let arguments = told::arguments(self.arguments, "arguments");
        let native = self.native_tool.to_text().unwrap_or_else(|| name.clone());
        let id = self.execution.to_text()?;
        let execution = ExecutionId::parse(&id);
        let call = told::call(id, None, &native, arguments);
        Some(Call {
            tool: if tool::is_valid(&name) { name } else { tool::made_valid(&name) },
            paths: self.paths.0.iter().filter_map(Text::to_text).collect(),
            cwd: self.cwd.to_text(),
            changes: Vec::new(),
            execution,
            ..call
        })
    }

    fn result(&self, call: String) -> Option<CallResult> {
        let (outcome, error) = match self.outcome.as_deref() {
            Some(word) => (Outcome::parse(word)?, &self.error),
            None => (Outcome::Interrupted, &self.reason),
        };
        let bytes = |content: &Loose<Content<'_>>| content.0.as_ref().map(Content::bytes);
        let changed = self.changed.0.iter().filter_map(|it| it.0.as_ref());
        let changes = changed
            .filter_map(|it| Some(Change { path: it.path.to_text()?, created: it.created.0 }));
        let diagnostics = self.diagnostics.map(RawValue::get).filter(|raw| *raw != "null");
        Some(CallResult {
            // `null` where there was none.
            exit_code: self.exit_code.and_then(|raw| raw.get().parse().ok()),
            duration_ms: self.duration_ms.to_count(),
            error: error.to_text(),
            stdout: bytes(&self.stdout),
            stderr: bytes(&self.stderr),
            diagnostics: diagnostics.map(|raw| Json(raw.to_owned())),
            created: self.tool.as_deref() == Some(tool::written(true)),
            changes: changes.collect(),
            ..CallResult::of(call, None, outcome)
        })
    }
}

impl Content<'_> {
    /// Of one that was recorded as its two ends both.
    fn bytes(&self) -> Vec<u8> {
        let is_text = self.encoding.as_deref() != Some("base64");
        let read = |text: &Text<'_>| {
            let text = text.as_deref()?;
            match is_text {
                true => Some(text.as_bytes().to_vec()),
                false => BASE64.decode(text.as_bytes()).ok(), // not ours
            }
        };
        match (read(&self.data), read(&self.tail)) {
            (Some(head), Some(tail)) => [&head, "\n[…]\n".as_bytes(), &tail].concat(),
            (head, tail) => head.or(tail).unwrap_or_default(),
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }
}

impl Attached<'_> {
    fn read(&self) -> Option<Attachment> {
        Some(Attachment {
            name: self.name.to_text(),
            media_type: self.media_type.to_text(),
            bytes: self.bytes.to_count()?,
            digest: unhex(self.digest.as_deref()?)?,
        })
    }
}
