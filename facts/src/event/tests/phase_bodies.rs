//! Any event of the phases.

use proptest::collection::vec;
use proptest::prelude::*;

use super::memory_bodies::{experiment, prompt_place};
use super::round_trip::{content, execution, maybe, text};
use crate::event::*;

fn place() -> impl Strategy<Value = NodePlace> {
    (experiment(), text(), text()).prop_map(|(experiment, node, branch)| NodePlace {
        experiment,
        node,
        branch,
    })
}

fn phase() -> impl Strategy<Value = PhaseName> {
    prop_oneof![
        Just(PhaseName::Download),
        Just(PhaseName::Coding),
        Just(PhaseName::Compile),
        Just(PhaseName::Run)
    ]
}

fn completed() -> impl Strategy<Value = PhaseCompleted> {
    (place(), phase(), content(), vec(execution(), 0..3), any::<u64>()).prop_map(
        |(place, phase, log, executions, duration_ms)| PhaseCompleted {
            place,
            phase,
            log,
            executions,
            duration_ms,
        },
    )
}

pub(super) fn phase_body() -> impl Strategy<Value = Body> {
    prop_oneof![
        (place(), maybe(), text(), text())
            .prop_map(|(place, parent, task, stage)| {
                Body::NodeCreated(NodeCreated { place, parent, task, stage })
            })
            .boxed(),
        (place(), prompt_place(), [content(), content()], maybe(), any::<u64>())
            .prop_map(|(node, prompt, [sections, reply], error, duration_ms)| {
                let queried = ModelQueried { node, prompt, sections, reply, error, duration_ms };
                Body::ModelQueried(queried)
            })
            .boxed(),
        (place(), content())
            .prop_map(|(place, artifacts)| {
                Body::ArtifactsAccepted(ArtifactsAccepted { place, artifacts })
            })
            .boxed(),
        completed().prop_map(Body::PhaseCompleted).boxed(),
        (completed(), text())
            .prop_map(|(ended, error)| {
                let PhaseCompleted { place, phase, log, executions, duration_ms } = ended;
                let failed = PhaseFailed { place, phase, log, executions, duration_ms, error };
                Body::PhaseFailed(failed)
            })
            .boxed(),
        (place(), any::<bool>(), maybe(), any::<u64>(), maybe())
            .prop_map(|(place, is_buggy, metric, exec_time_ms, error)| {
                Body::NodeResultRecorded(NodeResultRecorded {
                    place,
                    is_buggy,
                    metric,
                    exec_time_ms,
                    error,
                })
            })
            .boxed(),
        (place(), any::<u64>(), text()).prop_map(|(place, plots, summary)| {
            Body::VlmAnalysisCompleted(VlmAnalysisCompleted { place, plots, summary })
        }),
    ]
}
