//! One line of the call logs, its members in spec 003's order.

use serde::Serialize;

use crate::event::MemoryOrigin;

/// Characters of a text that a line shows.
const PREVIEW_CHARS_MAX: usize = 400;

/// The layer of spec 003 by which an operation came: each has a log of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
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
pub(super) struct Call<'a> {
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
pub(super) struct Line<'a, D> {
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
pub(super) fn preview(text: &str) -> String {
    match text.char_indices().nth(PREVIEW_CHARS_MAX) {
        None => text.to_owned(),
        Some(_) => text.chars().take(PREVIEW_CHARS_MAX - 1).chain(['…']).collect(),
    }
}

/// Characters, as every count of spec 003 is.
pub(super) fn chars(text: &str) -> u64 {
    text.chars().count() as u64
}
