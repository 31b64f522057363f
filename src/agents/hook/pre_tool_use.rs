//! `PreToolUse`: a tool is about to be called. It is recorded, and the gate judges it.

use super::{Firing, HookAnswer, HookError, Known, ToolCall, tail, words};
use crate::event::{Body, Closing, ExecutionFinished, ExecutionId, GateMode, Outcome};
use crate::grounding::gate;
use crate::grounding::gate::{Door, Proposal, Verdict};

pub fn answer(firing: &Firing<'_>, known: &mut Known<'_>) -> Result<HookAnswer, HookError> {
    let Some(call) = ToolCall::of(firing) else {
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
    let policy = &firing.project.config().policy;
    if tail::has_open_check(known) || gate::is_mutation(policy, call.tool(), call.arguments()) {
        // Half of all failures never reach a hook: the verdict is on what really happened, and so is
        // that of `annals claim` in a shell.
        tail::settle(firing, known)?;
    }
    let execution = call.new_execution(firing.at_ms);
    let mut events = firing.introduction(known);
    events.push(firing.event(Body::ExecutionStarted(call.started(firing, execution))));
    let Verdict::Refused(refusal) = verdict(firing, known, &call) else {
        firing.record_call(events, known)?;
        return Ok(HookAnswer::default());
    };
    let (mode, grounding) = (firing.mode, known.grounding());
    let bodies = gate::refused(&refusal, grounding, mode, Some(execution), Some(call.key.clone()));
    events.extend(bodies.into_iter().map(|body| firing.event(body)));
    if mode == GateMode::Enforce {
        events.push(firing.event(never_ran(execution, call.tool(), &refusal.to_string())));
    }
    let answer = match mode {
        GateMode::Observe => HookAnswer::default(),
        GateMode::Advise => HookAnswer::context(words::advice(&refusal, grounding, firing.at_ms)),
        GateMode::Enforce => HookAnswer {
            deny: Some(words::denial(&refusal, grounding, firing.at_ms)),
            ..HookAnswer::default()
        },
    };
    // A denial that is not on record would not count as the read that it is.
    firing.record_call(events, known)?;
    Ok(answer)
}

fn verdict(firing: &Firing<'_>, known: &Known<'_>, call: &ToolCall) -> Verdict {
    if known.is_blind() {
        return Verdict::Pass;
    }
    let proposal = Proposal {
        native_tool: Some(call.native_tool().to_owned()),
        paths: call.paths().to_vec(),
        call: Some(call.key.clone()),
        ..Proposal::new(call.tool(), call.arguments(), firing.session, Door::Hook)
    };
    gate::judge(&firing.project.config().policy, known.grounding(), &proposal, firing.at_ms)
}

/// The end of a call that the gate denied.
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
