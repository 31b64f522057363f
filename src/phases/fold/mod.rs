//! The fold into `.annals/experiments/`: the logs of phases and of prompts, in the folders that
//! spec 003's "Files Generated Per Node" names.

mod prompt;

use std::marker::PhantomData;

use crate::event::{
    Body, Content, Experiment, NodePlace, PhaseCompleted, PhaseFailed, PhaseName, PromptPlace,
    PromptRendered, Recorded, UpdatesApplied,
};
use crate::memory::log_fold::Details;
use crate::memory::update::{self as operations, seconds};
use crate::parse::content::text;
use crate::store::folder::{FilePlace, Folder};
use crate::store::projector::{Files, FolderStore};
use crate::store::{Anomaly, AnomalyKind, Concern, Result, StoreName};

impl StoreName {
    /// `.annals/experiments/`: the logs of phases and prompts.
    pub const EXPERIMENTS: Self = Self::of(&FolderStore::<Experiments> {
        name: "experiments",
        place: ".annals/experiments",
        aliases: &[],
        concern: &PLACED,
        files: PhantomData,
    });
}

/// Events that leave a file below `experiments/`: of phases, and what was read or asked of memory for a
/// prompt that has its place there.
const PLACED: Concern = Concern {
    last: "SELECT max(seq) FROM memory_ops INDEXED BY memory_ops_placed WHERE has_place",
    next: "SELECT seq FROM memory_ops INDEXED BY memory_ops_placed \
           WHERE has_place AND seq > ?1 ORDER BY seq LIMIT 1",
};

/// Text of one log above this is kept as its beginning and end; the journal has it all.
const LOG_BYTES_MAX: usize = 4 << 20;

/// The fold into the logs of experiments: each event stands for itself.
#[derive(Debug, Default)]
pub struct Experiments;

impl Files for Experiments {
    const WANTS_CONTENT: bool = true;

    fn apply(
        &mut self,
        recorded: &Recorded,
        folder: &mut Folder,
        anomalies: &mut Vec<Anomaly>,
    ) -> Result<()> {
        let mut lost = |kind, message| {
            let sequence = recorded.sequence;
            anomalies.push(Anomaly { sequence, kind, execution: None, message });
        };
        let at_ms = recorded.event.envelope.at_ms;
        match &recorded.event.body {
            Body::PhaseCompleted(PhaseCompleted { place, phase, log, .. })
            | Body::PhaseFailed(PhaseFailed { place, phase, log, .. }) => {
                phase_log(place, *phase, log, folder, &mut lost)
            }
            Body::ArtifactsAccepted(body) => match whole(&body.artifacts, &mut lost) {
                Some(json) => folder.replace(in_node(&body.place, "artifacts", "json"), json),
                None => Ok(()),
            },
            Body::ModelQueried(body) => prompt::write(body, at_ms, folder, &mut lost),
            Body::UpdatesApplied(body) => operations(body, at_ms, folder, &mut lost),
            Body::PromptRendered(body) => injection(body, at_ms, folder),
            _ => Ok(()),
        }
    }
}

fn in_experiment(experiment: &Experiment, folders: [&str; 2], name: (&str, &str)) -> FilePlace {
    let index = format!("{}-{}", experiment.index, experiment.name);
    let [kind, inner] = folders;
    FilePlace::of(&[&experiment.run, "logs", &index, kind, inner], name.0, name.1)
}

fn in_node(place: &NodePlace, stem: &str, extension: &str) -> FilePlace {
    let node = format!("node_{}", place.node);
    in_experiment(&place.experiment, ["phase_logs", &node], (stem, extension))
}

/// The log of a phase, from the folder of the logs; `None` for coding, of which the document has none.
pub fn log_place(place: &NodePlace, phase: PhaseName) -> Option<FilePlace> {
    (phase != PhaseName::Coding).then(|| in_node(place, phase.as_str(), "log"))
}

/// Puts a phase's log behind those of earlier tries; of coding the document has none.
fn phase_log(
    place: &NodePlace,
    phase: PhaseName,
    log: &Content,
    folder: &mut Folder,
    lost: &mut dyn FnMut(AnomalyKind, String),
) -> Result<()> {
    let Some(file) = log_place(place, phase) else { return Ok(()) };
    match text(log, LOG_BYTES_MAX) {
        Some(log) => folder.append(file, log.as_bytes()),
        None => {
            lost(AnomalyKind::LostContent, lost_content(log));
            Ok(())
        }
    }
}

/// A content's bytes, where all of them are here.
fn whole(content: &Content, lost: &mut dyn FnMut(AnomalyKind, String)) -> Option<Vec<u8>> {
    match content {
        Content::Inline(bytes) => Some(bytes.clone()),
        content => {
            lost(AnomalyKind::LostContent, lost_content(content));
            None
        }
    }
}

fn lost_content(content: &Content) -> String {
    match content {
        Content::Truncated { len, .. } => {
            format!("of the content's {len} bytes only the beginning and the end were kept")
        }
        Content::Repeated { sequence, len, .. } => {
            format!("its {len} bytes repeat those of event @{sequence}, which are lost")
        }
        Content::Blob { hash, len } => {
            let name = blake3::Hash::from_bytes(*hash).to_hex();
            format!("the blob {name} of {len} bytes cannot be read; its log is without it")
        }
        Content::Inline(_) => "the content cannot be read".to_owned(),
    }
}

// `memory_operations.jsonl` and `memory_injections.jsonl`, in the shapes of spec 003.

/// The line of an update that answers a prompt.
fn operations(
    body: &UpdatesApplied,
    at_ms: u64,
    folder: &mut Folder,
    lost: &mut dyn FnMut(AnomalyKind, String),
) -> Result<()> {
    let Some(prompt) = &body.prompt else { return Ok(()) };
    let read = operations::operations(&body.operations.0);
    if read.is_none() {
        let message = "what a memory update came to is no list of operations".to_owned();
        lost(AnomalyKind::InvalidJson, message);
    }
    let operations = read.unwrap_or_default();
    let line = at_prompt(prompt, at_ms.max(body.ended_ms))
        .and("counter", prompt.counter)
        .and("timing", Details::default().during(body.began_ms, body.ended_ms))
        .and("operations_count", operations.len())
        .and("operations", operations);
    append(prompt, "memory_operations", &line, folder)
}

/// The line of memory that went into a prompt.
fn injection(body: &PromptRendered, at_ms: u64, folder: &mut Folder) -> Result<()> {
    let Some(prompt) = &body.prompt else { return Ok(()) };
    let line = at_prompt(prompt, at_ms.max(body.ended_ms))
        .and("task_hint", &body.task_hint)
        .and("budget_chars", (!body.no_limit).then_some(body.budget_chars))
        .and("rendered_chars", body.rendered_chars)
        .and("core_count", body.core_count)
        .and("recall_count", body.recall_count)
        .and("archival_count", body.archival_count)
        .and("timing", Details::default().during(body.began_ms, body.ended_ms));
    append(prompt, "memory_injections", &line, folder)
}

fn at_prompt(prompt: &PromptPlace, at_ms: u64) -> Details {
    Details::default()
        .and("timestamp", seconds(at_ms))
        .and("stage", &prompt.stage)
        .and("label", &prompt.label)
}

fn in_session(prompt: &PromptPlace, stem: &str, extension: &str) -> FilePlace {
    in_experiment(&prompt.experiment, ["prompt_logs", &prompt.session], (stem, extension))
}

fn append(prompt: &PromptPlace, log: &str, line: &Details, folder: &mut Folder) -> Result<()> {
    // Numbers, strings and what was JSON before always serialise.
    let Ok(mut line) = serde_json::to_vec(line) else { return Ok(()) };
    line.push(b'\n');
    folder.append(in_session(prompt, log, "jsonl"), &line)
}

#[cfg(test)]
mod tests;
