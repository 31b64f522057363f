//! The fold into `.annals/memory/`: spec 003's call logs, a line an operation.
//!
//! What the document's tables give no operation of their own ("(none)") has no line: reads of core
//! and recall, branches made beneath the public functions. What a model asked for is told by the
//! line of its whole update and by the lines of what that wrote; the reference's own layer `llm`,
//! which says both a second time, is not.

mod lines;
#[cfg(test)]
mod tests;

use std::marker::PhantomData;

use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::event::wire::seconds_of;
use crate::event::{Body, BranchForked, MemoryOrigin, Recorded, words};
use crate::store::folder::{FilePlace, Folder};
use crate::store::projector::{Files, FolderStore};
use crate::store::{Anomaly, AnomalyKind, Concern, Result, StoreName};

impl StoreName {
    /// `.annals/memory/`: `memory_calls.jsonl` and the logs of its layers.
    pub const MEMORY_LOGS: Self = Self::of(&FolderStore::<MemoryLog> {
        name: "memory_calls",
        place: ".annals/memory",
        aliases: &["memory_calls.jsonl"],
        concern: &MEMORY_AND_PHASES,
        files: PhantomData,
    });
}

/// Events of branch memory and of phases.
const MEMORY_AND_PHASES: Concern = Concern {
    last: "SELECT max(seq) FROM memory_ops",
    next: "SELECT seq FROM memory_ops WHERE seq > ?1 ORDER BY seq LIMIT 1",
};

/// The log that has every line.
const MAIN: &str = "memory_calls";

/// What the fold remembers: the branch that was made by itself just before, in the same commit, and where.
#[derive(Debug, Default)]
pub struct MemoryLog {
    auto_created: Option<(u64, String)>,
}

impl Files for MemoryLog {
    const WANTS_CONTENT: bool = false;

    fn apply(
        &mut self,
        recorded: &Recorded,
        folder: &mut Folder,
        anomalies: &mut Vec<Anomaly>,
    ) -> Result<()> {
        let sequence = recorded.sequence;
        let line = match &recorded.event.body {
            Body::BranchForked(body) => self.forked(sequence.0, body),
            Body::CoreSet(body) => Some(lines::set(body)),
            Body::CoreDeleted(body) => Some(lines::deleted(body)),
            Body::CoreEvicted(body) => Some(lines::evicted(body)),
            Body::RecallAppended(body) => Some(lines::appended(body)),
            Body::RecallEvicted(body) => Some(lines::recall_evicted(body)),
            Body::RecallConsolidated(body) => Some(lines::consolidated(body)),
            Body::InheritedConsolidated(body) => Some(lines::inherited(body)),
            Body::ArchivalWritten(body) => Some(lines::written(body)),
            Body::ArchivalUpdated(body) => Some(lines::updated(body)),
            Body::MemoryRead(body) => lines::read(body),
            Body::UpdatesApplied(body) => {
                let (line, is_sound) = lines::applied(body);
                if !is_sound {
                    let message =
                        "what a memory update came to is no list of operations".to_owned();
                    let kind = AnomalyKind::InvalidJson;
                    anomalies.push(Anomaly { sequence, kind, execution: None, message });
                }
                Some(line)
            }
            Body::PromptRendered(body) => Some(lines::rendered(body)),
            Body::PressureChecked(body) => Some(lines::pressure(body)),
            Body::ImportanceEvaluated(body) => Some(lines::evaluated(body)),
            Body::MemoryConsolidated(body) => Some(lines::auto_consolidated(body)),
            Body::VlmAnalysisCompleted(body) => Some(lines::analysed(body)),
            _ => None,
        };
        match line {
            Some(line) => line.write(recorded.event.envelope.at_ms, folder),
            None => Ok(()),
        }
    }

    fn commit_ended(&mut self) {
        self.auto_created = None;
    }
}

impl MemoryLog {
    fn forked<'b>(&mut self, at: u64, body: &'b BranchForked) -> Option<Line<'b>> {
        let before = self.auto_created.take();
        if body.auto_created {
            self.auto_created = Some((at, body.branch.clone()));
            return None;
        }
        let made_with =
            |(made_at, branch): (u64, String)| made_at + 1 == at && Some(branch) == body.parent;
        lines::forked(body, before.is_some_and(made_with))
    }
}

/// Characters of a text that a line shows.
const PREVIEW_CHARS_MAX: usize = 400;

words! {
    /// The layer of spec 003 by which an operation came. Each has a log of its own besides the main one.
    enum Layer {
        Primitive = "primitive",
        PublicApi = "public_api",
        System = "system",
        Internal = "internal",
    }
}

/// What was called, on what, by whom, and what it tells of itself.
#[derive(Serialize)]
struct Line<'a> {
    op: &'static str,
    layer: Layer,
    memory_type: &'static str,
    branch_id: &'a str,
    node_id: Option<&'a str>,
    phase: Option<&'a str>,
    run_id: Option<&'a str>,
    details: Details,
}

/// Named values as JSON, in the order they were said.
#[derive(Default)]
pub struct Details(Vec<(&'static str, Box<RawValue>)>);

impl Details {
    /// The same with one more.
    #[must_use]
    pub fn and(mut self, name: &'static str, value: impl Serialize) -> Self {
        // Numbers, strings and what was JSON before always serialise.
        self.0.extend(to_raw_value(&value).ok().map(|value| (name, value)));
        self
    }

    /// The same with when it began and ended, Unix milliseconds.
    #[must_use]
    pub fn during(self, began_ms: u64, ended_ms: u64) -> Self {
        self.and("start_timestamp", seconds_of(began_ms))
            .and("end_timestamp", seconds_of(ended_ms))
            .and("duration_seconds", seconds_of(ended_ms.saturating_sub(began_ms)))
    }
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'a> Line<'a> {
    fn new(
        op: &'static str,
        layer: Layer,
        memory_type: &'static str,
        branch_id: &'a str,
        origin: &'a MemoryOrigin,
    ) -> Self {
        let (node_id, phase) = (origin.node.as_deref(), origin.phase.as_deref());
        let (run_id, details) = (origin.run.as_deref(), Details::default());
        Self { op, layer, memory_type, branch_id, node_id, phase, run_id, details }
    }

    fn and(self, name: &'static str, value: impl Serialize) -> Self {
        Self { details: self.details.and(name, value), ..self }
    }

    fn during(self, began_ms: u64, ended_ms: u64) -> Self {
        Self { details: self.details.during(began_ms, ended_ms), ..self }
    }

    /// Writes the line into the main log and its layer's.
    fn write(&self, at_ms: u64, folder: &mut Folder) -> Result<()> {
        #[derive(Serialize)]
        struct Timed<'l> {
            ts: f64,
            #[serde(flatten)]
            line: &'l Line<'l>,
        }
        let Ok(mut line) = serde_json::to_vec(&Timed { ts: seconds_of(at_ms), line: self }) else {
            return Ok(());
        };
        line.push(b'\n');
        folder.append(FilePlace::of(&[], MAIN, "jsonl"), &line)?;
        let own = format!("memory_{}", self.layer);
        folder.append(FilePlace::of(&[], &own, "jsonl"), &line)
    }
}

fn preview(text: &str) -> String {
    match text.char_indices().nth(PREVIEW_CHARS_MAX) {
        None => text.to_owned(),
        Some(_) => text.chars().take(PREVIEW_CHARS_MAX - 1).chain(['…']).collect(),
    }
}

/// Characters, as every count of spec 003 is.
fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}
