//! Events of executions in JSON.

use serde::Serialize;
use serde_json::value::RawValue;

use super::Content;
use crate::event;
use crate::execution::replay::Contents;

/// A tool was called.
#[derive(Debug, Serialize)]
pub struct ExecutionStarted<'a> {
    pub execution: String,
    pub tool: &'a str,
    pub native_tool: Option<&'a str>,
    pub call: Option<Call<'a>>,
    pub actor: Option<&'a str>,
    pub parent: Option<String>,
    /// A JSON value; where the journal holds none, its text.
    pub arguments: Json,
    pub paths: &'a [String],
    pub symbols: &'a [String],
    pub cwd: Option<&'a str>,
    pub branch: Option<&'a str>,
}

/// What makes two reports one execution.
#[derive(Debug, Serialize)]
pub struct Call<'a> {
    pub agent: &'a str,
    pub scope: Option<&'a str>,
    pub call: &'a str,
}

impl<'a> Call<'a> {
    pub fn of(key: &'a event::CallKey) -> Self {
        Self { agent: &key.agent, scope: key.scope.as_deref(), call: &key.call }
    }
}

/// A call ended, or (with `corrects`) turned out to have ended otherwise.
#[derive(Debug, Serialize)]
pub struct Ended<'a> {
    pub execution: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrects: Option<String>,
    pub tool: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'a str>,
    pub outcome: &'a str,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    pub error: Option<&'a str>,
    pub stdout: Option<Content>,
    pub stderr: Option<Content>,
    /// A JSON array; where the journal holds none, its text.
    pub diagnostics: Option<Json>,
    pub paths: &'a [String],
    pub symbols: &'a [String],
    pub changed: Vec<Change<'a>>,
}

/// A file that an execution changed.
#[derive(Debug, Serialize)]
pub struct Change<'a> {
    pub path: &'a str,
    pub created: bool,
}

/// A call's owner is gone.
#[derive(Debug, Serialize)]
pub struct Interrupted<'a> {
    pub execution: String,
    pub tool: &'a str,
    pub reason: &'a str,
}

/// JSON inside an event, as it stands there.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Json {
    Value(Box<RawValue>),
    Text(String),
}

impl Json {
    /// What an event holds; integers beyond 2^53 stay as they are.
    pub fn of(json: &event::Json) -> Self {
        match RawValue::from_string(json.0.clone()) {
            // What is told on one line must be one.
            Ok(value) if !value.get().contains('\n') => Self::Value(value),
            _ => Self::Text(json.0.clone()),
        }
    }
}

pub(super) fn started(event: &event::ExecutionStarted) -> ExecutionStarted<'_> {
    ExecutionStarted {
        execution: event.execution.to_string(),
        tool: &event.tool,
        native_tool: event.native_tool.as_deref(),
        call: event.call.as_ref().map(Call::of),
        actor: event.actor.as_deref(),
        parent: event.parent.map(|parent| parent.to_string()),
        arguments: Json::of(&event.arguments),
        paths: &event.paths,
        symbols: &event.symbols,
        cwd: event.cwd.as_deref(),
        branch: event.branch.as_deref(),
    }
}

pub(super) fn ended<'a>(
    execution: event::ExecutionId,
    tool: &'a str,
    correction: Option<(event::ExecutionId, &'a str)>,
    closing: &'a event::Closing,
    contents: &Contents,
) -> Ended<'a> {
    let bring = |content: &Option<event::Content>| {
        content.as_ref().map(|content| Content::of(content, contents))
    };
    let changed = closing.changed.iter();
    Ended {
        execution: execution.to_string(),
        corrects: correction.map(|(corrects, _)| corrects.to_string()),
        tool,
        reason: correction.map(|(_, reason)| reason),
        outcome: closing.outcome.as_str(),
        exit_code: closing.exit_code,
        duration_ms: closing.duration_ms,
        error: closing.error.as_deref(),
        stdout: bring(&closing.stdout),
        stderr: bring(&closing.stderr),
        diagnostics: closing.diagnostics.as_ref().map(Json::of),
        paths: &closing.paths,
        symbols: &closing.symbols,
        changed: changed
            .map(|change| Change { path: &change.path, created: change.created })
            .collect(),
    }
}
