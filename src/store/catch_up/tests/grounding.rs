//! Generated facts of grounding and steps.

use proptest::prelude::*;

use super::history::execution_id;
use crate::event::{
    Body, CallKey, GateBypassed, GateMode, GateRefused, GateRule, PlanChecked, PlanFault, ReadBy,
    StepBegun, StepEnded, SuccessClaimed, TimelineCheckpoint, TimelineQueried,
};

fn call(number: u8) -> CallKey {
    CallKey { agent: "claude-code".to_owned(), scope: None, call: format!("toolu_{number}") }
}

fn step_ended(began: Option<u64>) -> Body {
    Body::StepEnded(StepEnded {
        began,
        executions: 3,
        failed: 1,
        refused: u64::MAX,
        mutations: 1,
        checks_passed: 0,
        changed: vec!["src/lib.rs".to_owned()],
        follow_up: vec!["mend\0 it".to_owned()],
        summary: "done".to_owned(),
    })
}

/// Ids, calls and sequences of a few, so that they meet.
pub fn any_grounding() -> impl Strategy<Value = Body> {
    let optional = || prop::option::of(0..10_u8);
    let at = || prop::option::of(0..20_u64);
    let mode = prop::sample::select(&[GateMode::Observe, GateMode::Enforce][..]);
    prop_oneof![
        3 => any::<u64>().prop_map(|returned| Body::TimelineQueried(TimelineQueried {
            query: "memory_query(timeline_summary)".to_owned(),
            by: ReadBy::Asked,
            through_sequence: 3,
            returned,
        })),
        2 => (optional(), optional(), mode).prop_map(|(execution, called, mode)| {
            Body::GateRefused(GateRefused {
                execution: execution.map(execution_id),
                call: called.map(call),
                tool: "file_edit".to_owned(),
                target: Some("src/lib.rs".to_owned()),
                rule: GateRule::NoGrounding,
                reason: "Must call memory_query before mutation tool".to_owned(),
                required_query: "memory_query(timeline_summary)".to_owned(),
                mode,
            })
        }),
        1 => (0..10_u8, at()).prop_map(|(number, refused)| Body::GateBypassed(GateBypassed {
            execution: execution_id(number),
            call: Some(call(number)),
            tool: "file_edit".to_owned(),
            refused,
        })),
        1 => optional().prop_map(|verified| Body::SuccessClaimed(SuccessClaimed {
            claim: "it works".to_owned(),
            accepted: verified.is_some(),
            verified_by: verified.map(execution_id),
            cited: verified.map(execution_id).into_iter().collect(),
            reason: None,
        })),
        1 => any::<bool>().prop_map(|accepted| Body::PlanChecked(PlanChecked {
            digest: [9; 32],
            steps: 2,
            accepted,
            faults: vec![PlanFault {
                step: 2,
                tool: "file_edit".to_owned(),
                reason: "no read before it".to_owned(),
            }],
        })),
        1 => Just(Body::TimelineCheckpoint(TimelineCheckpoint {
            through_sequence: 3,
            total_executions: 2,
            current_step: 1,
        })),
        2 => prop::option::of("[a-z]{1,4}")
            .prop_map(|title| Body::StepBegun(StepBegun { title })),
        2 => at().prop_map(step_ended),
    ]
}
