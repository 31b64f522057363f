//! `SessionEnd`, `SubagentStop`: what is left to read, and that it is over.

use super::{Firing, HookAnswer, HookError, Known, transcript};
use crate::event::{Body, SessionEnded};
use crate::journal::Recorder;
use crate::journal::owner::agent as agent_process;

/// The session is over: calls without a result never got one.
pub fn answer(firing: &Firing<'_>) -> Result<HookAnswer, HookError> {
    let imported = transcript::import(firing, false);
    let mut known = Known::of(firing.project, firing.session);
    let grounding = known.grounding();
    let mut events = firing.introduction(&known);
    let mut problem = None;
    if !grounding.step().is_empty() {
        let (ended, why) = firing.step_end(grounding, None, None);
        events.extend(ended);
        problem = why;
    }
    let reason = firing.input.reason.to_text().unwrap_or_else(|| "ended".to_owned());
    events.push(firing.event(Body::SessionEnded(SessionEnded { reason })));
    firing.record(events, &known)?;
    known.save();
    agent_process::forget(&firing.project.owners_dir(), firing.session);
    // Those that the transcript does not close: only now are they given up (ruling 2).
    let swept = Recorder::live(firing.project).and_then(|mut it| it.sweep_session(firing.session));
    imported?;
    swept?;
    problem.map_or(Ok(HookAnswer::default()), Err)
}

/// A subagent is done; its session goes on.
pub fn subagent(firing: &Firing<'_>) -> Result<HookAnswer, HookError> {
    let imported = transcript::import(firing, true);
    let mut known = Known::of(firing.project, firing.session);
    let answer = firing.note("a subagent is done", &known)?;
    known.save();
    imported?;
    Ok(answer)
}
