//! `PostToolUse`, `PostToolUseFailure`: a tool's call ended.

use serde_json::value::RawValue;

use super::{Firing, HookAnswer, HookError, Known, ToolCall, repeated, tail};
use crate::event::{
    Body, Event, ExecutionCorrected, ExecutionFinished, GateBypassed, Outcome, ReadBy,
};
use crate::grounding::gate;
use crate::grounding::gate::Refusal;
use crate::journal::id;
use crate::parse::shell::Script;

pub fn answer(
    firing: &Firing<'_>,
    failed: bool,
    known: &mut Known<'_>,
) -> Result<HookAnswer, HookError> {
    let Some(call) = ToolCall::of(firing) else {
        return firing.note("named no tool, or no call of one", known);
    };
    if known.grounding().denied_call(&call.key).is_some() {
        return bypassed(firing, failed, &call, known);
    }
    let given_up = known.grounding().given_up_call(&call.key);
    let late = given_up.is_some();
    let open = given_up.or_else(|| known.grounding().open_call(&call.key));
    if open.is_none() && known.call_is_closed(&call.key) {
        return Ok(HookAnswer::default());
    }
    let (began, open) = (open.map(|open| open.started), open.map(|open| open.id()));
    let mut events = Vec::new();
    let execution = open.unwrap_or_else(|| call.new_execution(firing.at_ms));
    if open.is_none() {
        events = firing.introduction(known);
        events.push(firing.event(Body::ExecutionStarted(call.started(firing, execution))));
    }
    let mut outcome = None;
    let result = call.result(firing, failed);
    // Given up once more is nothing new.
    if let Some(result) = result.filter(|it| !late || it.outcome != Outcome::Interrupted) {
        outcome = Some(result.outcome);
        let began_ms = began.map(|began| began.at_ms);
        let (tool, closing) = call.closing(result, began_ms, firing.at_ms);
        events.push(firing.event(match late {
            false => Body::ExecutionFinished(ExecutionFinished { execution, tool, closing }),
            true => Body::ExecutionCorrected(ExecutionCorrected {
                execution: id::correction(firing.at_ms, execution),
                corrects: execution,
                tool,
                reason: "its result was seen after it was recorded as interrupted".to_owned(),
                closing,
            }),
        }));
    }
    let since = began.map_or(u64::MAX, |began| began.sequence);
    events.extend(read(firing, &call, outcome, since, known));
    firing.record_call(events, known)?;
    match outcome {
        Some(Outcome::Failed) => Ok(repeated::answer(firing, &call, known)),
        _ => Ok(HookAnswer::default()),
    }
}

/// The read of the timeline that a command was, where nothing else told of it: in a shell without
/// `ANNALS_SESSION` the command itself cannot know whose it is.
fn read(
    firing: &Firing<'_>,
    call: &ToolCall,
    outcome: Option<Outcome>,
    since: u64,
    known: &Known<'_>,
) -> Option<Event> {
    let grounding = known.grounding();
    let told = grounding.last_read().is_some_and(|read| read.sequence > since);
    if told || firing.actor().is_some() || is_elsewhere(call.arguments()) {
        return None;
    }
    let command = crate::grounding::fold::command(call.arguments())?;
    if !Script::of(&command).reads_timeline() {
        return None;
    }
    // Codex tells what was printed and not whether it failed: the rollout may.
    let outcome = outcome.or_else(|| tail::outcome(firing, &call.key));
    let shown = match outcome {
        Some(outcome) => outcome == Outcome::Ok,
        None => shows_timeline(firing.input.tool_response.map(RawValue::get).unwrap_or_default()),
    };
    if !shown {
        return None;
    }
    let returned = grounding.recent().count() as u64;
    let body = gate::queried(grounding, Refusal::TIMELINE_QUERY, ReadBy::Asked, returned);
    Some(firing.event(body))
}

/// Whether a call's output goes where the agent does not see it: into the background.
fn is_elsewhere(arguments: &str) -> bool {
    arguments.contains(r#""run_in_background":true"#)
}

/// Whether what was printed has the timeline's own words.
fn shows_timeline(printed: &str) -> bool {
    const WORDS: [&str; 4] = [
        "=== EXECUTION TIMELINE",
        "timeline never read",
        "timeline read ",
        // of --json, within a JSON text
        "total_executions\\\":",
    ];
    WORDS.iter().any(|word| printed.contains(word))
}

/// The agent ran what it was told was denied.
fn bypassed(
    firing: &Firing<'_>,
    failed: bool,
    call: &ToolCall,
    known: &mut Known<'_>,
) -> Result<HookAnswer, HookError> {
    let Some(denied) = known.grounding().denied_call(&call.key) else {
        return Ok(HookAnswer::default());
    };
    let Some(execution) = denied.execution.map(|id| id.execution()) else {
        return Ok(HookAnswer::default());
    };
    let mut events = vec![firing.event(Body::GateBypassed(GateBypassed {
        execution,
        call: Some(call.key.clone()),
        tool: call.tool().to_owned(),
        refused: Some(denied.sequence),
    }))];
    if let Some(result) = call.result(firing, failed) {
        let (tool, closing) = call.closing(result, None, firing.at_ms);
        events.push(firing.event(Body::ExecutionCorrected(ExecutionCorrected {
            execution: id::correction(firing.at_ms, execution),
            corrects: execution,
            tool,
            reason: "it ran although the gate had denied it".to_owned(),
            closing,
        })));
    }
    firing.record_call(events, known)?;
    let message = format!(
        "annals: {} ran although the gate had denied it; it is on record as a bypass",
        call.native_tool()
    );
    Ok(HookAnswer { messages: vec![message], ..HookAnswer::default() })
}
