//! The events of a verdict: what to append where the gate refused.

use super::Refusal;
use crate::event::{
    Body, CallKey, ExecutionId, GateMode, GateRefused, ReadBy, TimelineCheckpoint, TimelineQueried,
};
use crate::grounding::fold::Grounding;

/// What a refusal appends, in one commit: the refusal; and where the agent is given the timeline
/// along with it, that it was, which is the read that the next call needs. Where it is only
/// observed the agent is given nothing.
pub fn refused(
    refusal: &Refusal,
    grounding: &Grounding,
    mode: GateMode,
    execution: Option<ExecutionId>,
    call: Option<CallKey>,
) -> Vec<Body> {
    let mut bodies = vec![refusal_alone(refusal, mode, execution, call)];
    if mode != GateMode::Observe {
        let returned = grounding.recent().count() as u64;
        bodies.push(checkpoint(grounding));
        bodies.push(queried(grounding, Refusal::TIMELINE_QUERY, ReadBy::Gate, returned));
    }
    bodies
}

/// The refusal alone: nobody is given the timeline along with it.
pub fn refusal_alone(
    refusal: &Refusal,
    mode: GateMode,
    execution: Option<ExecutionId>,
    call: Option<CallKey>,
) -> Body {
    Body::GateRefused(GateRefused {
        execution,
        call,
        tool: refusal.tool.clone(),
        target: refusal.target.clone(),
        rule: refusal.rule,
        reason: refusal.reason.clone(),
        required_query: refusal.required_query.clone(),
        mode,
    })
}

/// The timeline block was given to a model.
pub fn checkpoint(grounding: &Grounding) -> Body {
    Body::TimelineCheckpoint(TimelineCheckpoint {
        through_sequence: grounding.through().0,
        total_executions: grounding.executions(),
        current_step: grounding.current_step(),
    })
}

/// The session's agent read the timeline; `returned` rows of it.
pub fn queried(grounding: &Grounding, query: &str, by: ReadBy, returned: u64) -> Body {
    let through_sequence = grounding.through().0;
    Body::TimelineQueried(TimelineQueried {
        query: query.to_owned(),
        by,
        through_sequence,
        returned,
    })
}
