//! Any event of grounding and of steps.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::round_trip::{call, execution, maybe, text, texts};
use crate::event::*;

fn rule() -> impl Strategy<Value = GateRule> {
    prop_oneof![
        Just(GateRule::NoGrounding),
        Just(GateRule::UnverifiedSuccess),
        Just(GateRule::UnknownExecution),
        Just(GateRule::KnownAntiPattern),
        Just(GateRule::FailureLoop)
    ]
}

fn mode() -> impl Strategy<Value = GateMode> {
    prop_oneof![Just(GateMode::Observe), Just(GateMode::Advise), Just(GateMode::Enforce)]
}

fn refused() -> impl Strategy<Value = GateRefused> {
    let call = (option::of(execution()), option::of(call()), text(), maybe());
    (call, rule(), text(), text(), mode()).prop_map(
        |((execution, call, tool, target), rule, reason, required_query, mode)| GateRefused {
            execution,
            call,
            tool,
            target,
            rule,
            reason,
            required_query,
            mode,
        },
    )
}

fn ended() -> impl Strategy<Value = StepEnded> {
    (any::<Option<u64>>(), any::<[u64; 5]>(), texts(), texts(), text()).prop_map(
        |(
            began,
            [executions, failed, refused, mutations, checks_passed],
            changed,
            todo,
            summary,
        )| {
            StepEnded {
                began,
                executions,
                failed,
                refused,
                mutations,
                checks_passed,
                changed,
                follow_up: todo,
                summary,
            }
        },
    )
}

pub(super) fn grounding_body() -> impl Strategy<Value = Body> {
    let report = prop_oneof![Just(Report::Unverified), Just(Report::Failed), Just(Report::Asked)];
    let by = prop_oneof![Just(ReadBy::Asked), Just(ReadBy::Gate)];
    let fault = (any::<u64>(), text(), text()).prop_map(|(step, tool, reason)| PlanFault {
        step,
        tool,
        reason,
    });
    prop_oneof![
        (text(), by, any::<u64>(), any::<u64>()).prop_map(
            |(query, by, through_sequence, returned)| {
                let queried = TimelineQueried { query, by, through_sequence, returned };
                Body::TimelineQueried(queried)
            }
        ),
        refused().prop_map(Body::GateRefused),
        (execution(), option::of(call()), text(), any::<Option<u64>>()).prop_map(
            |(execution, call, tool, refused)| {
                Body::GateBypassed(GateBypassed { execution, call, tool, refused })
            }
        ),
        (text(), any::<bool>(), option::of(execution()), vec(execution(), 0..3), maybe()).prop_map(
            |(claim, accepted, verified_by, cited, reason)| {
                let claimed = SuccessClaimed { claim, accepted, verified_by, cited, reason };
                Body::SuccessClaimed(claimed)
            }
        ),
        (any::<[u8; 32]>(), any::<u64>(), any::<bool>(), vec(fault, 0..3)).prop_map(
            |(digest, steps, accepted, faults)| {
                Body::PlanChecked(PlanChecked { digest, steps, accepted, faults })
            }
        ),
        (report, text())
            .prop_map(|(report, text)| { Body::OutcomeReported(OutcomeReported { report, text }) }),
        maybe().prop_map(|title| Body::StepBegun(StepBegun { title })),
        ended().prop_map(Body::StepEnded),
    ]
}
