//! A tool's call before it runs, and after.

use serde_json::value::RawValue;

use super::input::Result;
use super::{Firing, HookAnswer, HookError, Known, ToolCall, known_fix, tool_call, words};
use crate::event::{
    Body, Closing, Event, ExecutionCorrected, ExecutionFinished, ExecutionId, GateBypassed,
    GateMode, Outcome, ReadBy,
};
use crate::grounding::gate;
use crate::grounding::gate::{Door, Proposal, Refusal};
use crate::journal::id;
use crate::parse::check::command_of;
use crate::parse::shell::Script;

/// `PreToolUse`: a tool is about to be called. It is recorded, and the gate judges it.
pub fn begun(firing: &Firing<'_>, known: &mut Known<'_>) -> Result<HookAnswer> {
    let Some(call) = ToolCall::of(firing, known.grounding()) else {
        return firing.note("named no tool, or no call of one", known);
    };
    if known.grounding().denied_call(&call.key).is_some() {
        // Told twice, by settings that name the hook twice: the verdict stands.
        return Ok(HookAnswer { deny: Some(words::denied_before()), ..HookAnswer::default() });
    }
    let known_already =
        known.grounding().open_call(&call.key).is_some() || known.call_is_closed(&call.key);
    if known_already {
        let started = call.started(firing, call.new_execution(firing.at_ms));
        let started = firing.event(Body::ExecutionStarted(started));
        return match firing.is_told_otherwise(&call.key, started, known)? {
            true => Err(HookError::ToldOtherwise { call: words::line(&call.key.call) }),
            false => Ok(HookAnswer::default()),
        };
    }
    if tool_call::has_open_check(known) || proposal(firing, &call).is_mutation() {
        // Half of all failures never reach a hook: the verdict is on what really happened, and so is
        // that of `annals claim` in a shell.
        tool_call::settle(firing, known)?;
    }
    let execution = call.new_execution(firing.at_ms);
    let mut events = firing.introduction(known);
    events.push(firing.event(Body::ExecutionStarted(call.started(firing, execution))));
    let is_edit = firing.mode != GateMode::Observe && proposal(firing, &call).is_mutation();
    let path = call.call.paths.first().filter(|_| is_edit);
    let told = path.and_then(|path| known_fix::broken(firing, path, known)).map(words::broken);
    events.extend(told.iter().map(|it| firing.event(words::injected(words::BROKEN, it))));
    let told = told.map(|it| it.text);
    let Some(refusal) = refusal(firing, known, &call) else {
        firing.record_call(events, known)?;
        return Ok(HookAnswer { context: told, ..HookAnswer::default() });
    };
    let with_told = |text: String| match &told {
        Some(told) => format!("{text}\n{told}"),
        None => text,
    };
    let (mode, grounding) = (firing.mode, known.grounding());
    let bodies = gate::refused(&refusal, grounding, mode, Some(execution), Some(call.key.clone()));
    events.extend(bodies.into_iter().map(|body| firing.event(body)));
    if mode == GateMode::Enforce {
        events.push(firing.event(never_ran(execution, &call.call.tool, &refusal.to_string())));
    }
    let answer = match mode {
        GateMode::Observe => HookAnswer::default(),
        GateMode::Advise => {
            HookAnswer::context(with_told(words::advice(&refusal, grounding, firing.at_ms)))
        }
        GateMode::Enforce => HookAnswer {
            deny: Some(with_told(words::denial(&refusal, grounding, firing.at_ms))),
            ..HookAnswer::default()
        },
    };
    // A denial that is not on record would not count as the read that it is.
    firing.record_call(events, known)?;
    Ok(answer)
}

fn refusal(firing: &Firing<'_>, known: &Known<'_>, call: &ToolCall) -> Option<Refusal> {
    if known.is_blind() {
        return None;
    }
    let policy = &firing.project.config().policy;
    gate::judge(policy, known.grounding(), &proposal(firing, call), firing.at_ms)
}

fn proposal(firing: &Firing<'_>, ToolCall { call, key }: &ToolCall) -> Proposal {
    Proposal {
        native_tool: Some(call.native_tool.clone()),
        paths: call.paths.clone(),
        edits: !call.changes.is_empty(),
        call: Some(key.clone()),
        ..Proposal::new(&call.tool, &call.arguments, firing.session, Door::Hook)
    }
}

fn never_ran(execution: ExecutionId, tool: &str, why: &str) -> Body {
    let closing = Closing {
        outcome: Outcome::Refused,
        exit_code: None,
        duration_ms: None,
        error: Some(why.to_owned()),
        stdout: None,
        stderr: None,
        diagnostics: None,
        paths: Vec::new(),
        symbols: Vec::new(),
        changed: Vec::new(),
    };
    Body::ExecutionFinished(ExecutionFinished { execution, tool: tool.to_owned(), closing })
}

/// `PostToolUse`, `PostToolUseFailure`: a tool's call ended.
pub fn ended(firing: &Firing<'_>, failed: bool, known: &mut Known<'_>) -> Result<HookAnswer> {
    let Some(call) = ToolCall::of(firing, known.grounding()) else {
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
    let (mut outcome, mut failure, mut may_have_failed) = (None, None, false);
    let result = call.result(firing, known.grounding().own(), failed);
    // Given up once more is nothing new.
    if let Some(result) = result.filter(|it| !late || it.outcome != Outcome::Interrupted) {
        outcome = Some(result.outcome);
        let (tool, closing) = call.closing(result);
        let is_check = || command_of(&call.call.arguments, known.grounding().own()).is_some();
        match outcome.filter(|_| firing.mode != GateMode::Observe) {
            Some(Outcome::Failed) => failure = Some((tool.clone(), closing.clone())),
            Some(Outcome::Ok) => may_have_failed = is_check(),
            _ => {}
        }
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
    if failure.is_none() && !may_have_failed {
        return Ok(HookAnswer::default());
    }
    known.catch_up();
    // A check that failed behind a pipe was told as one that went well.
    let grounding = known.grounding();
    if may_have_failed && grounding.pending.iter().any(|it| it.last.id() == execution) {
        failure = call.result(firing, grounding.own(), failed).map(|it| call.closing(it));
    }
    let Some((tool, closing)) = failure else { return Ok(HookAnswer::default()) };
    let causes = known_fix::causes(firing, &call, &tool, &closing, known);
    Ok(words::failed(firing, execution, &causes, known))
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
    let told = grounding.last_read.is_some_and(|read| read.sequence > since);
    if told || firing.actor().is_some() || is_elsewhere(&call.call.arguments) {
        return None;
    }
    let command = crate::grounding::fold::command(&call.call.arguments)?;
    if !Script::of(&command).reads_timeline() {
        return None;
    }
    // Codex tells what was printed and not whether it failed: the rollout may.
    let outcome = outcome.or_else(|| tool_call::outcome(firing, &call.key));
    let shown = match outcome {
        Some(outcome) => outcome == Outcome::Ok,
        None => shows_timeline(firing.input.tool_response.map(RawValue::get).unwrap_or_default()),
    };
    if !shown {
        return None;
    }
    let returned = grounding.recent.len() as u64;
    let body = gate::queried(grounding, Refusal::TIMELINE_QUERY, ReadBy::Asked, returned);
    Some(firing.event(body))
}

/// Whether a call's output goes where the agent does not see it: into the background.
fn is_elsewhere(arguments: &str) -> bool {
    arguments.contains(r#""run_in_background":true"#)
}

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

fn bypassed(
    firing: &Firing<'_>,
    failed: bool,
    call: &ToolCall,
    known: &mut Known<'_>,
) -> Result<HookAnswer> {
    let Some(denied) = known.grounding().denied_call(&call.key) else {
        return Ok(HookAnswer::default());
    };
    let Some(execution) = denied.execution.map(|id| id.execution()) else {
        return Ok(HookAnswer::default());
    };
    let mut events = vec![firing.event(Body::GateBypassed(GateBypassed {
        execution,
        call: Some(call.key.clone()),
        tool: call.call.tool.clone(),
        refused: Some(denied.sequence),
    }))];
    if let Some(result) = call.result(firing, known.grounding().own(), failed) {
        let (tool, closing) = call.closing(result);
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
        call.call.native_tool
    );
    Ok(HookAnswer { messages: vec![message], ..HookAnswer::default() })
}
