//! What an item of the model's history says.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::call::{call, full_name, json_object, wrapped};
use super::payload::{Payload, Said, not_kept, said};
use super::result::whole;
use super::{payload, result, session};
use crate::agents::import::item::{Call, CallResult};
use crate::agents::import::limits::PATCH_FILES_MAX;
use crate::agents::import::loose::{Loose, Text, object, parsed};
use crate::agents::import::readable;
use crate::event::{Change, Outcome};

#[derive(Debug)]
pub enum Told {
    Call(Box<Call>),
    Output {
        id: String,
        said: Said,
    },
    /// A call that the model's own side ran: it comes with its result.
    Closed(Box<Ended>),
    /// Something in the user's role.
    User(String),
    /// The agent's own words.
    Said(String),
    /// Its thoughts, as far as they are told.
    Thought(String),
    /// Something else of its.
    Agent,
    /// What it should tell of a call it does not.
    Unread(String),
    Nothing,
}

/// What an item says. `unnamed` names a call that bears no id.
pub fn item(payload: &Payload<'_>, session: Option<&str>, unnamed: &str) -> Told {
    let told = match payload.kind.as_deref() {
        Some("message") => match payload.role.as_deref() {
            Some("user") => payload.content.map(|raw| Told::User(payload::typed(raw, "\n"))),
            Some("assistant") => Some(match payload.content {
                Some(raw) => Told::Said(payload::typed(raw, "\n")),
                None => Told::Agent,
            }),
            _ => None,
        },
        Some("reasoning") => {
            let summary = payload.summary.map(|raw| payload::typed(raw, "\n"));
            Some(Told::Thought(summary.unwrap_or_default()))
        }
        Some("agent_message") => Some(Told::Agent),
        Some("function_call") => made(payload, session, json_object(payload.arguments)),
        Some("custom_tool_call") => {
            let input = payload.input.as_deref().unwrap_or_default();
            made(payload, session, wrapped("input", input))
        }
        Some("local_shell_call") => {
            let id = payload.call_id.to_text().or_else(|| payload.id.to_text());
            let arguments = json_object(payload.action);
            id.map(|id| call(session, id, "local_shell".to_owned(), arguments))
                .map(|call| Told::Call(Box::new(call)))
        }
        Some("tool_search_call") => match payload.call_id.to_text() {
            Some(id) => {
                let arguments = json_object(payload.arguments);
                let call = call(session, id, "tool_search".to_owned(), arguments);
                Some(Told::Call(Box::new(call)))
            }
            None => {
                closed(payload, session, "tool_search", json_object(payload.arguments), unnamed)
            }
        },
        Some("web_search_call") => {
            closed(payload, session, "web_search", json_object(payload.action), unnamed)
        }
        Some("image_generation_call") => {
            let prompt = payload.revised_prompt.as_deref().unwrap_or_default();
            let arguments = wrapped("revised_prompt", prompt);
            closed(payload, session, "image_generation", arguments, unnamed)
        }
        Some("function_call_output" | "custom_tool_call_output" | "tool_search_output") => {
            payload.call_id.to_text().map(|id| Told::Output { id, said: answer(payload) })
        }
        _ => None,
    };
    let unread = || match payload.kind.as_deref() {
        Some(kind) if CALLS.contains(&kind) => Told::Unread(format!("a {kind} without id or name")),
        Some("message") if payload.role.as_deref() == Some("user") => {
            Told::Unread("a message without content".to_owned())
        }
        _ => Told::Nothing,
    };
    told.unwrap_or_else(unread)
}

/// Items that tell of calls.
const CALLS: &[&str] = &[
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "function_call_output",
    "custom_tool_call_output",
    "tool_search_output",
];

fn made(payload: &Payload<'_>, session: Option<&str>, arguments: String) -> Option<Told> {
    let id = payload.call_id.to_text()?;
    Some(Told::Call(Box::new(call(session, id, full_name(payload)?, arguments))))
}

fn answer(payload: &Payload<'_>) -> Said {
    match (payload.output, payload.tools) {
        (Some(output), _) => said(output),
        (None, Some(tools)) => Said { text: tools.get().to_owned(), success: None },
        (None, None) => Said::default(),
    }
}

fn closed(
    payload: &Payload<'_>,
    session: Option<&str>,
    native_tool: &str,
    arguments: String,
    unnamed: &str,
) -> Option<Told> {
    let id = payload.id.to_text().unwrap_or_else(|| format!("{native_tool}:{unnamed}"));
    let call = call(session, id.clone(), native_tool.to_owned(), arguments);
    let mut result = result::empty(session, id);
    if payload.status.as_deref() == Some("failed") {
        result.outcome = Outcome::Failed;
        result.error = Some(result::error(None, ""));
    }
    result.stdout = payload.result.map(|raw: &RawValue| not_kept("image", raw).into_bytes());
    Some(Told::Closed(Box::new(Ended { call, result })))
}

/// A call and how it ended, as one line tells both.
#[derive(Debug)]
pub struct Ended {
    pub call: Call,
    pub result: CallResult,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileChange<'a> {
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
    move_path: Text<'a>,
}

/// What a server answered, in an event: the answer, or why there is none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answered<'a> {
    #[serde(rename = "Ok", borrow)]
    ok: Option<&'a RawValue>,
    #[serde(rename = "Err")]
    err: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(rename = "isError", alias = "is_error")]
    is_error: Option<&'a RawValue>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Fault<'a> {
    #[serde(borrow)]
    message: Text<'a>,
}

pub fn ended(payload: &Payload<'_>, of: Option<&str>) -> Option<Ended> {
    let id = payload.call_id.to_text().or_else(|| payload.id.to_text())?;
    match payload.kind.as_deref()? {
        "exec_command_end" | "CommandExecution" => Some(ran(payload, of, id)),
        "patch_apply_end" | "FileChange" => Some(patched(payload, of, id)),
        "mcp_tool_call_end" | "McpToolCall" => served(payload, of, id),
        _ => None,
    }
}

fn ran(payload: &Payload<'_>, of: Option<&str>, id: String) -> Ended {
    let users = payload.source.is_some_and(|source| source.get() == "\"user_shell\"");
    let native = if users { "user_shell" } else { "exec_command" };
    let command = payload.command.map_or_else(|| "[]".to_owned(), |raw| readable(raw.get()).into());
    let mut call = call(of, id.clone(), native.to_owned(), format!("{{\"command\":{command}}}"));
    call.cwd = payload.cwd.to_text().as_deref().map(session::path);

    let mut result = result::empty(of, id);
    let text = payload.aggregated_output.to_text();
    let text = text.or_else(|| payload.stderr.to_text()).or_else(|| payload.stdout.to_text());
    let text = text.unwrap_or_default();
    let exit_code = whole(payload.exit_code);
    let said = result::outcome(exit_code.filter(|code| *code >= 0), None, &text);
    result.outcome = match result::of_status(payload.status.as_deref()) {
        Some(told) => told,
        // Where nothing ran, the exit code is below zero and the text says why.
        None if exit_code.is_some_and(|code| code < 0) && said == Outcome::Ok => Outcome::Failed,
        None => said,
    };
    if result.outcome != Outcome::Refused {
        result.exit_code = exit_code;
        result.duration_ms = payload.duration.0.and_then(|span| span.to_ms());
    }
    let streams = (payload.stdout.to_text(), payload.stderr.to_text());
    result::print(&mut result, text);
    if let (Outcome::Ok | Outcome::Failed, (Some(stdout), Some(stderr))) = (result.outcome, streams)
    {
        (result.stdout, result.stderr) = (result::printed(stdout), result::printed(stderr));
    }
    Ended { call, result }
}

fn patched(payload: &Payload<'_>, of: Option<&str>, id: String) -> Ended {
    let changes = payload.changes.map(changes).unwrap_or_default();
    let raw = payload.changes.map_or_else(|| "{}".to_owned(), |raw| readable(raw.get()).into());
    let native = "apply_patch".to_owned();
    let mut call = call(of, id.clone(), native, format!("{{\"changes\":{raw}}}"));
    call.tool = super::tool(&changes).to_owned();
    call.paths = changes.iter().map(|change| change.path.clone()).collect();
    call.changes.clone_from(&changes);

    let mut result = result::empty(of, id);
    let success = payload.success.map(|raw| raw.get() == "true");
    let printed = payload.stderr.to_text().or_else(|| payload.stdout.to_text());
    let printed = printed.unwrap_or_default();
    result.outcome = result::of_status(payload.status.as_deref()).unwrap_or_else(|| {
        result::outcome(None, success, if success == Some(true) { "" } else { &printed })
    });
    result.duration_ms = payload.duration.0.and_then(|span| span.to_ms());
    result::print(&mut result, printed);
    result.changes = changes;
    Ended { call, result }
}

/// The files of a change, by name; a moved one is its old name and its new one.
fn changes(raw: &RawValue) -> Vec<Change> {
    let json = readable(raw.get());
    let named = parsed::<BTreeMap<String, Loose<FileChange<'_>>>>(json.as_bytes());
    let mut changes = Vec::new();
    for (path, change) in named.into_iter().flatten().take(PATCH_FILES_MAX) {
        let FileChange { kind, move_path } = change.0.unwrap_or_default();
        let created = kind.as_deref() == Some("add");
        changes.push(Change { path: session::path(&path), created });
        let moved = move_path.to_text().as_deref().map(session::path);
        changes.extend(moved.map(|path| Change { path, created: true }));
    }
    changes
}

fn served(payload: &Payload<'_>, of: Option<&str>, id: String) -> Option<Ended> {
    let (server, tool, arguments) = match &payload.invocation.0 {
        Some(asked) => (asked.server.to_text()?, asked.tool.to_text()?, asked.arguments),
        None => (payload.server.to_text()?, payload.tool.to_text()?, payload.arguments),
    };
    let call = call(of, id.clone(), format!("mcp__{server}__{tool}"), json_object(arguments));
    let mut result = result::empty(of, id);
    result.duration_ms = payload.duration.0.and_then(|span| span.to_ms());
    let json = payload.result.map(|raw| readable(raw.get())).unwrap_or_default();
    let Answered { ok, err } = object(json.as_bytes());
    let answer: Answer<'_> = object(ok.map_or_else(|| json.as_bytes(), |ok| ok.get().as_bytes()));
    let fault = payload.error.map(|raw| object::<Fault<'_>>(raw.get().as_bytes()));
    let why = err.to_text().or(fault.and_then(|fault| fault.message.to_text()));
    let failed = why.is_some() || answer.is_error.is_some_and(|raw| raw.get() == "true");
    let text = why.or_else(|| answer.content.map(|raw| said(raw).text)).unwrap_or_default();
    result.outcome = match result::of_status(payload.status.as_deref()) {
        Some(told) => told,
        None => result::outcome(None, failed.then_some(false), if failed { &text } else { "" }),
    };
    result::print(&mut result, text);
    Some(Ended { call, result })
}
