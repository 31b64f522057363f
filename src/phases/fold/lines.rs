//! `memory_operations.jsonl` and `memory_injections.jsonl`, in the shapes of spec 003.

use serde::Serialize;

use super::in_experiment;
use crate::event::{PromptPlace, PromptRendered, UpdatesApplied};
use crate::memory::update as operations;
use crate::memory::update::{Operation, seconds};
use crate::store::AnomalyKind;
use crate::store::StoreError;
use crate::store::folder::{FilePlace, Folder};

#[derive(Serialize)]
struct Timing {
    start_timestamp: f64,
    end_timestamp: f64,
    duration_seconds: f64,
}

#[derive(Serialize)]
struct Operations<'a> {
    timestamp: f64,
    stage: &'a str,
    label: &'a str,
    counter: u64,
    timing: Timing,
    operations_count: usize,
    operations: &'a [Operation<'a>],
}

#[derive(Serialize)]
struct Injection<'a> {
    timestamp: f64,
    stage: &'a str,
    label: &'a str,
    task_hint: Option<&'a str>,
    budget_chars: Option<u64>,
    rendered_chars: u64,
    core_count: u64,
    recall_count: u64,
    archival_count: u64,
    timing: Timing,
}

/// The line of an update that answers a prompt.
pub(super) fn operations(
    body: &UpdatesApplied,
    at_ms: u64,
    folder: &mut Folder,
    lost: &mut dyn FnMut(AnomalyKind, String),
) -> Result<(), StoreError> {
    let Some(prompt) = &body.prompt else { return Ok(()) };
    let read = operations::operations(&body.operations.0);
    if read.is_none() {
        let message = "what a memory update came to is no list of operations".to_owned();
        lost(AnomalyKind::InvalidJson, message);
    }
    let operations = read.unwrap_or_default();
    let line = Operations {
        timestamp: seconds(at_ms.max(body.ended_ms)),
        stage: &prompt.stage,
        label: &prompt.label,
        counter: prompt.counter,
        timing: timing(body.began_ms, body.ended_ms),
        operations_count: operations.len(),
        operations: &operations,
    };
    append(prompt, "memory_operations", &line, folder)
}

/// The line of memory that went into a prompt.
pub(super) fn injection(
    body: &PromptRendered,
    at_ms: u64,
    folder: &mut Folder,
) -> Result<(), StoreError> {
    let Some(prompt) = &body.prompt else { return Ok(()) };
    let line = Injection {
        timestamp: seconds(at_ms.max(body.ended_ms)),
        stage: &prompt.stage,
        label: &prompt.label,
        task_hint: body.task_hint.as_deref(),
        budget_chars: (!body.no_limit).then_some(body.budget_chars),
        rendered_chars: body.rendered_chars,
        core_count: body.core_count,
        recall_count: body.recall_count,
        archival_count: body.archival_count,
        timing: timing(body.began_ms, body.ended_ms),
    };
    append(prompt, "memory_injections", &line, folder)
}

/// A file of a session's prompts.
pub(super) fn in_session(prompt: &PromptPlace, stem: &str, extension: &str) -> FilePlace {
    in_experiment(&prompt.experiment, ["prompt_logs", &prompt.session], (stem, extension))
}

fn append(
    prompt: &PromptPlace,
    log: &str,
    line: &impl Serialize,
    folder: &mut Folder,
) -> Result<(), StoreError> {
    // Numbers, strings and what was JSON before always serialise.
    let Ok(mut line) = serde_json::to_vec(line) else { return Ok(()) };
    line.push(b'\n');
    folder.append(in_session(prompt, log, "jsonl"), &line)
}

fn timing(began_ms: u64, ended_ms: u64) -> Timing {
    Timing {
        start_timestamp: seconds(began_ms),
        end_timestamp: seconds(ended_ms),
        duration_seconds: seconds(ended_ms.saturating_sub(began_ms)),
    }
}
