//! One event of every kind of the phases, each field filled.

use super::memory_samples::{experiment, prompt_place};
use super::samples::{EXECUTION, free, some};
use crate::event::*;

fn place() -> NodePlace {
    NodePlace { experiment: experiment(), node: "node".into(), branch: "branch".into() }
}

fn inline(text: &str) -> Content {
    Content::Inline(free(text).into_bytes())
}

pub(super) fn phase_bodies() -> Vec<Body> {
    vec![
        Body::NodeCreated(NodeCreated {
            place: place(),
            parent: Some("parent".into()),
            task: "draft".into(),
            stage: "stage".into(),
        }),
        Body::ModelQueried(ModelQueried {
            node: place(),
            prompt: prompt_place(),
            sections: inline("sections"),
            reply: inline("reply"),
            error: some("error"),
            duration_ms: 1_234,
        }),
        Body::ArtifactsAccepted(ArtifactsAccepted {
            place: place(),
            artifacts: inline("artifacts"),
        }),
        Body::PhaseCompleted(PhaseCompleted {
            place: place(),
            phase: PhaseName::Coding,
            log: inline("log"),
            executions: vec![EXECUTION],
            duration_ms: 300,
        }),
        Body::PhaseFailed(PhaseFailed {
            place: place(),
            phase: PhaseName::Run,
            log: Content::Truncated {
                head: free("head").into_bytes(),
                tail: free("tail").into_bytes(),
                len: 1 << 33,
            },
            executions: vec![EXECUTION, EXECUTION],
            duration_ms: 70_000,
            error: free("error"),
        }),
        Body::NodeResultRecorded(NodeResultRecorded {
            place: place(),
            is_buggy: true,
            metric: some("0.5"),
            exec_time_ms: 65_536,
            error: some("error"),
        }),
        Body::VlmAnalysisCompleted(VlmAnalysisCompleted {
            place: place(),
            plots: 2,
            summary: free("summary"),
        }),
    ]
}
