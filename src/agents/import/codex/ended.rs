//! What an event, or a completed item inside one, tells of how a call ended.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::call::{call, object};
use super::content::said;
use super::output::whole;
use super::payload::Payload;
use super::{result, session, verdict};
use crate::agents::import::item::{Call, CallResult};
use crate::agents::import::limits::PATCH_FILES_MAX;
use crate::agents::import::loose::{Loose, Text, parsed};
use crate::agents::import::readable;
use crate::event::{Change, Outcome};

/// What an event tells of a call: all of it, for no item may tell the rest.
#[derive(Debug)]
pub struct Ended {
    pub call: Call,
    pub result: CallResult,
}

/// What became of a file.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FileChange<'a> {
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    move_path: Text<'a>,
}

/// What a server answered, in an event: the answer, or why there is none.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answered<'a> {
    #[serde(rename = "Ok", borrow)]
    ok: Option<&'a RawValue>,
    #[serde(rename = "Err", borrow)]
    err: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer<'a> {
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(rename = "isError", alias = "is_error", borrow)]
    is_error: Option<&'a RawValue>,
}

/// Why something failed, in a completed item.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Fault<'a> {
    #[serde(borrow)]
    message: Text<'a>,
}

/// What an event of this payload tells of a call; `None` where it is about something else.
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
    let said = verdict::outcome(exit_code.filter(|code| *code >= 0), None, &text);
    result.outcome = match verdict::of_status(payload.status.as_deref()) {
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
    call.tool = crate::agents::import::codex::tool(&changes).to_owned();
    call.paths = changes.iter().map(|change| change.path.clone()).collect();
    call.changes.clone_from(&changes);

    let mut result = result::empty(of, id);
    let success = payload.success.map(|raw| raw.get() == "true");
    let printed = payload.stderr.to_text().or_else(|| payload.stdout.to_text());
    let printed = printed.unwrap_or_default();
    result.outcome = verdict::of_status(payload.status.as_deref()).unwrap_or_else(|| {
        verdict::outcome(None, success, if success == Some(true) { "" } else { &printed })
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
    let call = call(of, id.clone(), format!("mcp__{server}__{tool}"), object(arguments));
    let mut result = result::empty(of, id);
    result.duration_ms = payload.duration.0.and_then(|span| span.to_ms());
    let json = payload.result.map(|raw| readable(raw.get())).unwrap_or_default();
    let Answered { ok, err } = parsed::<Loose<Answered<'_>>>(json.as_bytes())
        .and_then(|answered| answered.0)
        .unwrap_or_default();
    let answer = ok.map_or_else(|| json.as_bytes(), |ok| ok.get().as_bytes());
    let answer = parsed::<Loose<Answer<'_>>>(answer).and_then(|answer| answer.0);
    let answer = answer.unwrap_or_default();
    let fault = payload.error.and_then(|raw| parsed::<Loose<Fault<'_>>>(raw.get().as_bytes()));
    let fault = fault.and_then(|fault| fault.0).and_then(|fault| fault.message.to_text());
    let why = err.to_text().or(fault);
    let failed = why.is_some() || answer.is_error.is_some_and(|raw| raw.get() == "true");
    let text = why.or_else(|| answer.content.map(|raw| said(raw).text)).unwrap_or_default();
    result.outcome = match verdict::of_status(payload.status.as_deref()) {
        Some(told) => told,
        None => verdict::outcome(None, failed.then_some(false), if failed { &text } else { "" }),
    };
    result::print(&mut result, text);
    Some(Ended { call, result })
}
