//! What became of a tool's call: what it gave, what the gate said, and how that is recorded and told.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::{Result, ToolError};
use crate::event::{Body, Change, Closing, Content, ExecutionId, GateMode, Outcome, wire};
use crate::grounding::gate::{Refusal, RefusedWhy};
use crate::grounding::timeline::TimelineBlock;
use crate::journal::{RecordError, RecordReport};
use crate::parse::check::diagnostic::{self, Diagnostic};

/// Of the timeline, this much is given with a refusal.
const BLOCK_CHARS_MAX: usize = 4_000;

/// What a tool gave back. A tool that ran and found fault (a check) gave something as well.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Given {
    /// Of the program that the tool ran, where it ran one.
    pub exit_code: Option<i32>,
    /// For a model: what was read, found, or done.
    pub text: String,
    /// What is said beside it: that there is more, and how to get it.
    pub note: Option<String>,
    /// Why it is no success; `None` where it is one.
    #[serde(rename = "error")]
    pub failed: Option<String>,
    /// The same as the text, for a program; null where the text is all there is.
    pub data: Value,
    pub diagnostics: Vec<Diagnostic>,
    pub changed: Vec<Change>,
    /// What that program printed on standard error.
    #[serde(skip)]
    pub stderr: Option<Vec<u8>>,
    /// Files it turned out to be about, besides those that the arguments name.
    #[serde(skip)]
    pub paths: Vec<String>,
    #[serde(skip)]
    pub symbols: Vec<String>,
    /// Facts besides: that the timeline was read.
    #[serde(skip)]
    pub events: Vec<Body>,
}

impl Given {
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    pub fn with(text: impl Into<String>, data: Value) -> Self {
        Self { text: text.into(), data, ..Self::default() }
    }

    /// What was given, or why nothing was.
    fn of(result: &Result<Self>) -> Cow<'_, Self> {
        match result {
            Ok(given) => Cow::Borrowed(given),
            Err(error) => Cow::Owned(error.into()),
        }
    }
}

impl From<&ToolError> for Given {
    fn from(error: &ToolError) -> Self {
        Self { failed: Some(error.to_string()), ..Self::default() }
    }
}

/// What the gate said of a call, and what its agent should have read.
#[derive(Clone, Debug, PartialEq)]
pub struct GateNotice {
    pub refusal: Refusal,
    /// Under `GateMode::Enforce` the call did not run.
    pub mode: GateMode,
    /// The timeline; given to the agent unless the gate only observes.
    pub block: TimelineBlock,
}

impl GateNotice {
    /// The timeline as its agent is given it.
    pub fn timeline(&self, now_ms: u64) -> Option<String> {
        let given = self.mode != GateMode::Observe;
        given.then(|| self.block.text(now_ms, BLOCK_CHARS_MAX, None))
    }
}

#[derive(Debug)]
pub struct Invocation {
    pub tool: String,
    pub execution: ExecutionId,
    /// When it ended, Unix milliseconds.
    pub at_ms: u64,
    pub duration_ms: u64,
    pub result: Result<Given>,
    pub gate: Option<GateNotice>,
    /// What happened to the log; never a reason to treat the result otherwise.
    pub log: Result<RecordReport, RecordError>,
}

/// An invocation as JSON has it.
#[derive(Debug, Serialize)]
pub struct Invoked<'i> {
    tool: &'i str,
    #[serde(serialize_with = "wire::text")]
    execution: ExecutionId,
    /// Its number in `annals log`; `null` where it could not be recorded.
    no: Option<u64>,
    #[serde(serialize_with = "wire::utc")]
    at: u64,
    timestamp: u64,
    duration_ms: u64,
    outcome: Outcome,
    success: bool,
    #[serde(flatten)]
    given: Cow<'i, Given>,
    gate: Option<Noticed<'i>>,
}

#[derive(Debug, Serialize)]
struct Noticed<'n> {
    mode: GateMode,
    #[serde(flatten)]
    why: RefusedWhy<'n>,
    timeline: Option<String>,
}

impl Invocation {
    pub fn outcome(&self) -> Outcome {
        outcome(&self.result)
    }

    /// As JSON has it, with its number in the log.
    pub fn told(&self, no: Option<u64>, now_ms: u64) -> Invoked<'_> {
        let outcome = self.outcome();
        Invoked {
            tool: &self.tool,
            execution: self.execution,
            no,
            at: self.at_ms,
            timestamp: self.at_ms,
            duration_ms: self.duration_ms,
            outcome,
            success: outcome == Outcome::Ok,
            given: Given::of(&self.result),
            gate: self.gate.as_ref().map(|notice| Noticed {
                mode: notice.mode,
                why: Some(&notice.refusal).into(),
                timeline: notice.timeline(now_ms),
            }),
        }
    }
}

fn outcome(result: &Result<Given>) -> Outcome {
    match result {
        Ok(given) if given.failed.is_none() => Outcome::Ok,
        Err(error) if error.is_refusal() => Outcome::Refused,
        Ok(_) | Err(_) => Outcome::Failed,
    }
}

/// How a tool's call is recorded to have ended.
pub(super) fn closing(result: &Result<Given>) -> Closing {
    let given = Given::of(result).into_owned();
    let text = Some(given.text.into_bytes()).filter(|it| !it.is_empty());
    Closing {
        outcome: outcome(result),
        exit_code: given.exit_code,
        duration_ms: None,
        error: given.failed,
        stdout: text.map(Content::Inline),
        stderr: given.stderr.map(Content::Inline),
        // Serialization of these types has no way to fail; without it the text is still there.
        diagnostics: diagnostic::to_json(&given.diagnostics).unwrap_or_default(),
        paths: given.paths,
        symbols: given.symbols,
        changed: given.changed,
    }
}
