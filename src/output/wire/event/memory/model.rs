//! What a model was shown of memory and asked of it, in JSON.

use serde::Serialize;

use super::super::Content;
use super::super::execution::Json;
use super::Origin;
use crate::event;
use crate::execution::replay::Contents;
use crate::output::time;

/// The fields of one kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Model<'a> {
    /// `operations`: a JSON array; where the journal holds none, its text.
    Applied {
        branch: &'a str,
        asked: &'a [String],
        operations: Json,
        began: Option<String>,
        ended: Option<String>,
        prompt: Option<PromptPlace<'a>>,
        origin: Origin<'a>,
    },
    Rendered {
        branch: &'a str,
        task_hint: Option<&'a str>,
        budget_chars: u64,
        no_limit: bool,
        rendered: Content,
        rendered_chars: u64,
        core_count: u64,
        recall_count: u64,
        archival_count: u64,
        began: Option<String>,
        ended: Option<String>,
        prompt: Option<PromptPlace<'a>>,
        origin: Origin<'a>,
    },
}

/// Which query of a model it belongs to.
#[derive(Debug, Serialize)]
pub struct PromptPlace<'a> {
    pub experiment: Experiment<'a>,
    pub session: &'a str,
    pub stage: &'a str,
    pub label: &'a str,
    pub counter: u64,
    pub round: u64,
}

/// Where the logs of a run lie.
#[derive(Debug, Serialize)]
pub struct Experiment<'a> {
    pub run: &'a str,
    pub index: u64,
    pub name: &'a str,
}

impl<'a> PromptPlace<'a> {
    pub fn of(place: &'a event::PromptPlace) -> Self {
        Self {
            experiment: Experiment::of(&place.experiment),
            session: &place.session,
            stage: &place.stage,
            label: &place.label,
            counter: place.counter,
            round: place.round,
        }
    }
}

impl<'a> Experiment<'a> {
    pub fn of(experiment: &'a event::Experiment) -> Self {
        Self { run: &experiment.run, index: experiment.index, name: &experiment.name }
    }
}

pub fn applied(b: &event::UpdatesApplied) -> Model<'_> {
    Model::Applied {
        branch: &b.branch,
        asked: &b.asked,
        operations: Json::of(&b.operations),
        began: time::utc(b.began_ms),
        ended: time::utc(b.ended_ms),
        prompt: b.prompt.as_ref().map(PromptPlace::of),
        origin: Origin::of(&b.origin),
    }
}

pub fn rendered<'a>(b: &'a event::PromptRendered, contents: &Contents) -> Model<'a> {
    Model::Rendered {
        branch: &b.branch,
        task_hint: b.task_hint.as_deref(),
        budget_chars: b.budget_chars,
        no_limit: b.no_limit,
        rendered: Content::of(&b.rendered, contents),
        rendered_chars: b.rendered_chars,
        core_count: b.core_count,
        recall_count: b.recall_count,
        archival_count: b.archival_count,
        began: time::utc(b.began_ms),
        ended: time::utc(b.ended_ms),
        prompt: b.prompt.as_ref().map(PromptPlace::of),
        origin: Origin::of(&b.origin),
    }
}
