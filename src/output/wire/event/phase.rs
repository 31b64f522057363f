//! Events of phases in JSON.

use serde::Serialize;

use super::Content;
use super::memory::{Experiment, PromptPlace};
use crate::event::{self, Body, ExecutionId};
use crate::execution::replay::Contents;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Phase<'a> {
    NodeCreated {
        place: Place<'a>,
        parent: Option<&'a str>,
        task: &'a str,
        stage: &'a str,
    },
    ModelQueried {
        place: Place<'a>,
        prompt: PromptPlace<'a>,
        sections: Content,
        reply: Content,
        error: Option<&'a str>,
        duration_ms: u64,
    },
    ArtifactsAccepted {
        place: Place<'a>,
        artifacts: Content,
    },
    /// How a phase ended: `download`, `coding`, `compile` or `run`. With `error` it failed.
    Ended {
        place: Place<'a>,
        phase: &'static str,
        log: Content,
        executions: Vec<String>,
        duration_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<&'a str>,
    },
    NodeResultRecorded {
        place: Place<'a>,
        is_buggy: bool,
        /// A decimal number as it was printed.
        metric: Option<&'a str>,
        exec_time_ms: u64,
        error: Option<&'a str>,
    },
    VlmAnalysisCompleted {
        place: Place<'a>,
        plots: u64,
        summary: &'a str,
    },
}

/// Where the logs of a node lie, and its branch.
#[derive(Debug, Serialize)]
pub struct Place<'a> {
    pub experiment: Experiment<'a>,
    pub node: &'a str,
    pub branch: &'a str,
}

impl<'a> Place<'a> {
    fn of(place: &'a event::NodePlace) -> Self {
        let experiment = Experiment::of(&place.experiment);
        Self { experiment, node: &place.node, branch: &place.branch }
    }
}

/// The document of an event of phases; `None` of any other.
pub fn of<'a>(body: &'a Body, contents: &Contents) -> Option<Phase<'a>> {
    Some(match body {
        Body::NodeCreated(b) => Phase::NodeCreated {
            place: Place::of(&b.place),
            parent: b.parent.as_deref(),
            task: &b.task,
            stage: &b.stage,
        },
        Body::ModelQueried(b) => Phase::ModelQueried {
            place: Place::of(&b.node),
            prompt: PromptPlace::of(&b.prompt),
            sections: Content::of(&b.sections, contents),
            reply: Content::of(&b.reply, contents),
            error: b.error.as_deref(),
            duration_ms: b.duration_ms,
        },
        Body::ArtifactsAccepted(b) => Phase::ArtifactsAccepted {
            place: Place::of(&b.place),
            artifacts: Content::of(&b.artifacts, contents),
        },
        Body::PhaseCompleted(b) => Phase::Ended {
            place: Place::of(&b.place),
            phase: b.phase.as_str(),
            log: Content::of(&b.log, contents),
            executions: ids(&b.executions),
            duration_ms: b.duration_ms,
            error: None,
        },
        Body::PhaseFailed(b) => Phase::Ended {
            place: Place::of(&b.place),
            phase: b.phase.as_str(),
            log: Content::of(&b.log, contents),
            executions: ids(&b.executions),
            duration_ms: b.duration_ms,
            error: Some(&b.error),
        },
        Body::NodeResultRecorded(b) => Phase::NodeResultRecorded {
            place: Place::of(&b.place),
            is_buggy: b.is_buggy,
            metric: b.metric.as_deref(),
            exec_time_ms: b.exec_time_ms,
            error: b.error.as_deref(),
        },
        Body::VlmAnalysisCompleted(b) => Phase::VlmAnalysisCompleted {
            place: Place::of(&b.place),
            plots: b.plots,
            summary: &b.summary,
        },
        _ => return None,
    })
}

fn ids(executions: &[ExecutionId]) -> Vec<String> {
    executions.iter().map(ToString::to_string).collect()
}
