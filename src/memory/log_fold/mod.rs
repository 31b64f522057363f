//! The fold into `.annals/memory/`: spec 003's call logs, a line an operation.
//!
//! What the document's tables give no operation of their own ("(none)") has no line: reads of core
//! and recall, branches made beneath the public functions. What a model asked for is told by the
//! line of its whole update and by the lines of what that wrote; the reference's own layer `llm`,
//! which says both a second time, is not.

mod details;
mod seen;
mod write;

use serde::Serialize;

use super::update::seconds;
use crate::event::{Body, BranchForked, MemoryDoor, MemoryOrigin, Recorded};
use crate::store::folder::{FilePlace, Folder};
use crate::store::projector::{Files, FilesProjector};
use crate::store::{Anomaly, AnomalyKind, StoreError};

/// The fold into the call logs.
pub type MemoryLogProjector = FilesProjector<MemoryLog>;

/// The log that has every line.
const MAIN: &str = "memory_calls";

/// What the fold remembers: the branch that was made by itself just before, and where.
#[derive(Debug, Default)]
pub struct MemoryLog {
    auto_created: Option<(u64, String)>,
}

/// Where lines go.
struct Out<'a> {
    ts: f64,
    folder: &'a mut Folder,
}

impl Out<'_> {
    /// Writes one line into the main log and its layer's.
    fn line<D: Serialize>(&mut self, call: Call<'_>, details: D) -> Result<(), StoreError> {
        // Numbers, strings and what was JSON before always serialise.
        let Ok(mut line) = serde_json::to_vec(&Line::new(self.ts, call, details)) else {
            return Ok(());
        };
        line.push(b'\n');
        self.folder.append(FilePlace::of(&[], MAIN, "jsonl"), &line)?;
        self.folder.append(FilePlace::of(&[], call.layer.log(), "jsonl"), &line)
    }
}

impl Files for MemoryLog {
    const WANTS_CONTENT: bool = false;

    fn apply(
        &mut self,
        recorded: &Recorded,
        folder: &mut Folder,
        anomalies: &mut Vec<Anomaly>,
    ) -> Result<(), StoreError> {
        let out = &mut Out { ts: seconds(recorded.event.envelope.at_ms), folder };
        match &recorded.event.body {
            Body::BranchForked(body) => self.forked(recorded.sequence.0, body, out),
            Body::CoreSet(body) => write::set(body, out),
            Body::CoreDeleted(body) => write::deleted(body, out),
            Body::CoreEvicted(body) => write::evicted(body, out),
            Body::RecallAppended(body) => write::appended(body, out),
            Body::RecallEvicted(body) => write::recall_evicted(body, out),
            Body::RecallConsolidated(body) => write::consolidated(body, out),
            Body::InheritedConsolidated(body) => write::inherited(body, out),
            Body::ArchivalWritten(body) => write::written(body, out),
            Body::ArchivalUpdated(body) => write::updated(body, out),
            Body::MemoryRead(body) => seen::read(body, out),
            Body::UpdatesApplied(body) => {
                if !seen::applied(body, out)? {
                    let message =
                        "what a memory update came to is no list of operations".to_owned();
                    let (sequence, kind) = (recorded.sequence, AnomalyKind::InvalidJson);
                    anomalies.push(Anomaly { sequence, kind, execution: None, message });
                }
                Ok(())
            }
            Body::PromptRendered(body) => seen::rendered(body, out),
            Body::PressureChecked(body) => seen::pressure(body, out),
            Body::ImportanceEvaluated(body) => seen::evaluated(body, out),
            Body::MemoryConsolidated(body) => seen::auto_consolidated(body, out),
            Body::VlmAnalysisCompleted(body) => seen::analysed(body, out),
            _ => Ok(()),
        }
    }
}

impl MemoryLog {
    fn forked(
        &mut self,
        at: u64,
        body: &BranchForked,
        out: &mut Out<'_>,
    ) -> Result<(), StoreError> {
        let before = self.auto_created.take();
        if body.auto_created {
            self.auto_created = Some((at, body.branch.clone()));
            return Ok(());
        }
        if matches!(body.origin.by, MemoryDoor::Primitive | MemoryDoor::Import) {
            return Ok(());
        }
        let parent = body.parent.as_deref();
        let made_with =
            |(made_at, branch): (u64, String)| made_at + 1 == at && Some(branch.as_str()) == parent;
        let mut call =
            Call::new("mem_node_fork", Layer::PublicApi, "node", &body.branch, &body.origin);
        call.node = call.node.or(body.node.as_deref());
        out.line(
            call,
            details::Forked {
                parent_node_id: parent,
                parent_branch_id: parent,
                child_branch_id: &body.branch,
                parent_auto_created: before.is_some_and(made_with),
                copied_from: body.copied_from.as_ref().map(|from| details::Copied {
                    branch_id: &from.branch,
                    through_sequence: from.through_sequence,
                }),
            },
        )
    }
}

/// Characters of a text that a line shows.
const PREVIEW_CHARS_MAX: usize = 400;

/// The layer of spec 003 by which an operation came: each has a log of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    Primitive,
    PublicApi,
    System,
    Internal,
}

impl Layer {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Primitive => "primitive",
            Self::PublicApi => "public_api",
            Self::System => "system",
            Self::Internal => "internal",
        }
    }

    /// The log's name, without `.jsonl`.
    pub fn log(self) -> &'static str {
        match self {
            Self::Primitive => "memory_primitive",
            Self::PublicApi => "memory_public_api",
            Self::System => "memory_system",
            Self::Internal => "memory_internal",
        }
    }
}

/// What was called, on what, by whom.
#[derive(Clone, Copy, Debug)]
struct Call<'a> {
    pub op: &'static str,
    pub layer: Layer,
    pub memory_type: &'static str,
    pub branch: &'a str,
    pub node: Option<&'a str>,
    pub phase: Option<&'a str>,
    pub run: Option<&'a str>,
}

impl<'a> Call<'a> {
    pub fn new(
        op: &'static str,
        layer: Layer,
        memory_type: &'static str,
        branch: &'a str,
        origin: &'a MemoryOrigin,
    ) -> Self {
        let (node, phase) = (origin.node.as_deref(), origin.phase.as_deref());
        Self { op, layer, memory_type, branch, node, phase, run: origin.run.as_deref() }
    }
}

/// A line, as it is written.
#[derive(Serialize)]
struct Line<'a, D> {
    ts: f64,
    op: &'static str,
    layer: &'static str,
    memory_type: &'static str,
    branch_id: &'a str,
    node_id: Option<&'a str>,
    phase: Option<&'a str>,
    run_id: Option<&'a str>,
    details: D,
}

impl<'a, D> Line<'a, D> {
    pub fn new(ts: f64, call: Call<'a>, details: D) -> Self {
        Self {
            ts,
            op: call.op,
            layer: call.layer.as_str(),
            memory_type: call.memory_type,
            branch_id: call.branch,
            node_id: call.node,
            phase: call.phase,
            run_id: call.run,
            details,
        }
    }
}

/// The beginning of a text.
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

#[cfg(test)]
mod tests;
