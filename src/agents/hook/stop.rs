//! `Stop`: the agent says that it is done, which is held against what is on record.

use std::io::BufRead;
use std::path::PathBuf;

use serde_json::Value;

use super::{Firing, HookAnswer, HookError, Known, tail, words};
use crate::event::{Event, GateMode};
use crate::grounding::fold::{Grounding, StepClaim};
use crate::grounding::gate;
use crate::grounding::gate::{Claim, Refusal, Statement};

pub fn answer(firing: &Firing<'_>) -> Result<HookAnswer, HookError> {
    let imported = crate::agents::hook::import(firing, true);
    let mut known = Known::of(firing.project, firing.session);
    let grounding = known.grounding();
    let mut events = firing.introduction(&known);
    let message = match firing.input.last_assistant_message.to_text() {
        Some(message) => Some(message),
        None => of(firing),
    };
    let (said, mut fault) = match said(firing, grounding, message.as_deref().unwrap_or_default()) {
        Ok(said) => (said, None),
        Err(error) => (Statement::Nothing, Some(error)),
    };
    let mut answer = HookAnswer::default();
    let refused = said.claim().and_then(|claim| Some((claim, claim.refusal.as_ref()?)));
    match refused {
        // Once: an agent that was told and stops all the same is let go. What it said then stands;
        // of what it takes back nothing is judged.
        Some((claim, refusal)) if is_blocked(firing) => {
            let (blocked, told) = block(firing, claim, refusal, &known);
            events.extend(blocked);
            answer = told;
        }
        Some((_, refusal)) => {
            events.extend(said.body().map(|body| firing.event(body)));
            let (refused, told) = advise(firing, refusal, &known);
            events.push(refused);
            answer = told;
        }
        None => events.extend(said.body().map(|body| firing.event(body))),
    }
    // An agent that goes on is still in its step.
    if answer.block.is_none() && !grounding.step().is_empty() {
        // What was said is told once, as the answer; it stands, whatever was claimed before.
        let claim = said.body().map(|_| StepClaim {
            text: String::new(),
            unverified: refused.map(|(_, refusal)| refusal.reason.clone()),
        });
        let (ended, problem) = firing.step_end(grounding, message.as_deref(), claim);
        events.extend(ended);
        fault = fault.or(problem);
    }
    firing.record(events, &known)?;
    known.save();
    imported?;
    match fault {
        Some(error) => Err(error),
        None => Ok(answer),
    }
}

/// What the last message is to the gate: where nothing was changed and nothing failed there was no work
/// to speak of.
fn said(firing: &Firing<'_>, grounding: &Grounding, message: &str) -> Result<Statement, HookError> {
    if grounding.last_mutation().is_none() && grounding.last_failure().is_none() {
        return Ok(Statement::Nothing);
    }
    Ok(Statement::of(firing.project, grounding, message)?)
}

fn is_blocked(firing: &Firing<'_>) -> bool {
    firing.mode == GateMode::Enforce && !firing.input.stop_hook_active.0
}

/// What is recorded and said where an agent shall not stop yet.
fn block(
    firing: &Firing<'_>,
    claim: &Claim,
    refusal: &Refusal,
    known: &Known<'_>,
) -> (Vec<Event>, HookAnswer) {
    let grounding = known.grounding();
    let refusal = Refusal { target: Some(claim.text.clone()), ..refusal.clone() };
    let bodies = gate::refused(&refusal, grounding, GateMode::Enforce, None, None);
    let block = Some(words::unverified(firing, &refusal, grounding));
    let events = bodies.into_iter().map(|body| firing.event(body)).collect();
    (events, HookAnswer { block, ..HookAnswer::default() })
}

/// What is recorded and said of a claim that nothing bears out, and that stands.
fn advise(firing: &Firing<'_>, refusal: &Refusal, known: &Known<'_>) -> (Event, HookAnswer) {
    let mode = match firing.mode {
        GateMode::Enforce => GateMode::Advise,
        mode => mode,
    };
    // The model is given nothing, so this is no read of the timeline.
    let event = firing.event(gate::refusal_alone(refusal, mode, None, None));
    let mut answer = HookAnswer::default();
    if mode == GateMode::Advise {
        let line = gate::unverified(firing.project, refusal, known.grounding());
        answer.messages.push(format!("annals: {line}"));
    }
    (event, answer)
}

/// The last message of the turn; `None` where it cannot be read or nothing was said.
pub fn of(firing: &Firing<'_>) -> Option<String> {
    let path = firing.input.transcript_path.to_text().map(PathBuf::from);
    path.filter(|path| path.is_file()).and_then(tail::end_of).and_then(last)
}

enum Turn {
    Begins,
    Says(String),
}

fn last(reader: impl BufRead) -> Option<String> {
    let mut last = None;
    // What cannot be read has nothing to tell.
    for line in reader.split(b'\n').map_while(Result::ok) {
        match serde_json::from_slice(&line).ok().as_ref().and_then(turn) {
            Some(Turn::Begins) => last = None,
            Some(Turn::Says(text)) => last = Some(text),
            None => {}
        }
    }
    last
}

/// What a line of either agent's transcript says of the turn.
fn turn(line: &Value) -> Option<Turn> {
    if line["isSidechain"] == true {
        return None;
    }
    let says = |text: &Value| text.as_str().map(|text| Turn::Says(text.to_owned()));
    let content = &line["message"]["content"];
    let payload = &line["payload"];
    match (line["type"].as_str()?, payload["type"].as_str()) {
        ("event_msg", Some("agent_message")) => says(&payload["message"]),
        ("event_msg", Some("user_message")) => Some(Turn::Begins),
        ("assistant", _) => {
            let blocks = content.as_array()?.iter();
            let text: Vec<_> = blocks.filter_map(|block| block["text"].as_str()).collect();
            (!text.is_empty()).then(|| Turn::Says(text.join("\n")))
        }
        // Results of calls come under the same name as prompts.
        ("user", _) => {
            let result = |block: &Value| block["type"] == "tool_result";
            let results = content.as_array().is_some_and(|blocks| blocks.iter().any(result));
            (!results).then_some(Turn::Begins)
        }
        _ => None,
    }
}
