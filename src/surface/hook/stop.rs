//! `Stop`: the agent says that it is done, which is held against what is on record.

use super::{Firing, HookAnswer, HookError, Known, claim, transcript, words};
use crate::command::gate::{self, Refusal, StepClaim};
use crate::event::{Event, GateMode};

pub fn answer(firing: &Firing<'_>) -> Result<HookAnswer, HookError> {
    let imported = transcript::import(firing, true);
    let mut known = Known::of(firing.project, firing.session);
    let grounding = known.grounding();
    let mut events = firing.introduction(&known);
    let judged = claim::judge(firing, grounding);
    let (judged, mut fault) = match judged {
        Ok(judged) => (judged, None),
        Err(error) => (None, Some(error)),
    };
    // What was said is told once, as the answer.
    let claim = judged.as_ref().map(|claim| StepClaim {
        text: String::new(),
        unverified: claim.refusal.as_ref().map(|refusal| refusal.reason.clone()),
    });
    events.extend(judged.iter().map(|claim| firing.event(claim.body())));
    let mut answer = HookAnswer::default();
    if let Some(refusal) = judged.and_then(|claim| claim.refusal) {
        let (refused, told) = refuse(firing, &refusal, &known);
        events.extend(refused);
        answer = told;
    }
    // An agent that goes on is still in its step.
    if answer.block.is_none() && !grounding.step().is_empty() {
        let said = firing.input.last_assistant_message.as_deref();
        let (ended, problem) = firing.step_end(grounding, said, claim);
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

/// What is recorded and said of a claim that nothing bears out.
fn refuse(firing: &Firing<'_>, refusal: &Refusal, known: &Known<'_>) -> (Vec<Event>, HookAnswer) {
    let grounding = known.grounding();
    // Once: an agent that was told and stops all the same is let go.
    if firing.mode == GateMode::Enforce && !firing.input.stop_hook_active.0 {
        let bodies = gate::refused(refusal, grounding, GateMode::Enforce, None, None);
        let block = Some(words::unverified(refusal, grounding, firing.at_ms));
        let events = bodies.into_iter().map(|body| firing.event(body)).collect();
        return (events, HookAnswer { block, ..HookAnswer::default() });
    }
    let mode = match firing.mode {
        GateMode::Enforce => GateMode::Advise,
        mode => mode,
    };
    // The model is given nothing, so this is no read of the timeline.
    let event = firing.event(gate::refusal_alone(refusal, mode, None, None));
    let mut answer = HookAnswer::default();
    if mode == GateMode::Advise {
        answer.messages.push(format!("annals: {}", words::unverified_line(refusal, grounding)));
    }
    (vec![event], answer)
}
