//! The tools themselves: reading, searching, editing, checking, asking. They work on files without
//! any log; [`ToolLayer`] runs them behind the gate and records them.

mod error;
mod layer;
mod list;
pub(crate) mod program;
pub(crate) mod workspace;

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::Value;

use crate::event::{Body, Change, ExecutionId, GateMode, Outcome, SessionId};
use crate::grounding::gate::{Cited, Claim, Refusal, judge_claim, refusal_alone};
use crate::grounding::timeline::TimelineBlock;
use crate::journal::{Project, RecordError, RecordReport};
use crate::parse::diagnostics::Diagnostic;

pub use error::ToolError;
pub use layer::ToolLayer;
pub use list::TOOLS;
pub use workspace::{Onto, Place, PlaceError, Workspace};

pub(crate) use list::memory_query;

/// What a tool gave back. A tool that ran and found fault (a check) gave something as well.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// For a model: what was read, found, or done.
    pub text: String,
    /// What is said beside it: that there is more, and how to get it.
    pub note: Option<String>,
    /// The same for a program; null where the text is all there is.
    pub data: Value,
    /// Why it is no success; `None` where it is one.
    pub failed: Option<String>,
    /// Of the program that the tool ran, where it ran one.
    pub exit_code: Option<i32>,
    /// What that program printed on standard error.
    pub stderr: Option<Vec<u8>>,
    pub diagnostics: Vec<Diagnostic>,
    /// Files it turned out to be about, besides those that the arguments name.
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub changed: Vec<Change>,
    /// Facts besides: that the timeline was read.
    pub events: Vec<Body>,
}

impl Given {
    /// A success of which a text is all there is.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same with what a program wants of it.
    pub fn with(text: impl Into<String>, data: Value) -> Self {
        Self { text: text.into(), data, ..Self::default() }
    }
}

/// Of a path, the bytes that are read.
pub const PATH_BYTES_MAX: usize = 4_096;
/// What a tool gives back as text.
pub const TEXT_BYTES_MAX: usize = 256 << 10;
/// A file that is edited, or written whole.
pub const EDIT_BYTES_MAX: usize = 16 << 20;
/// Edits of one call.
pub const EDITS_LEN_MAX: usize = 256;
/// Lines that `file_read` gives where it is not told.
pub const READ_LINES: usize = 2_000;
/// Of a file, the beginning in which a NUL makes it binary.
pub const SNIFFED_BYTES: usize = 8 << 10;
/// A larger file is not searched.
pub const SEARCHED_BYTES_MAX: u64 = 8 << 20;
/// Files that one search or listing looks at.
pub const FILES_LEN_MAX: usize = 200_000;
/// How long one search or listing may take, milliseconds.
pub const SEARCH_MS_MAX: u64 = 20_000;
/// Of a line that is found, the bytes that are given.
pub const LINE_BYTES_MAX: usize = 400;
/// Matches and names that are given where the call says nothing, and at most.
pub const MATCHES_LEN: usize = 200;
pub const NAMES_LEN: usize = 1_000;
pub const FOUND_LEN_MAX: usize = 5_000;
/// Lines of context on each side of a match.
pub const CONTEXT_LINES_MAX: usize = 20;
/// Of a pattern, the bytes, and what it may grow to when it is compiled.
pub const PATTERN_BYTES_MAX: usize = 4 << 10;
pub const PATTERN_COMPILED_BYTES_MAX: usize = 4 << 20;
/// A program that a tool runs, seconds: where the call says nothing, and at most.
pub const PROGRAM_S: u64 = 300;
pub const PROGRAM_S_MAX: u64 = 3_600;
/// A plan's steps.
pub const PLAN_STEPS_MAX: usize = 64;

const _: () = assert!(TEXT_BYTES_MAX <= crate::event::limits::INLINE_BYTES_MAX);
const _: () = assert!(MATCHES_LEN <= FOUND_LEN_MAX && NAMES_LEN <= FOUND_LEN_MAX);

/// What became of a step.
#[derive(Debug)]
pub struct Invocation {
    pub tool: String,
    pub execution: ExecutionId,
    /// When it ended, Unix milliseconds.
    pub at_ms: u64,
    pub duration_ms: u64,
    pub result: Result<Given, ToolError>,
    /// What the gate said against it.
    pub gate: Option<GateNotice>,
    /// What happened to the log; never a reason to treat the result otherwise.
    pub log: Result<RecordReport, RecordError>,
}

impl Invocation {
    /// How it ended: as it is recorded.
    pub fn outcome(&self) -> Outcome {
        outcome(&self.result)
    }
}

/// How a tool's call ended.
fn outcome(result: &Result<Given, ToolError>) -> Outcome {
    match result {
        Ok(given) if given.failed.is_none() => Outcome::Ok,
        Err(error) if error.is_refusal() => Outcome::Refused,
        Ok(_) | Err(_) => Outcome::Failed,
    }
}

/// A tool that there is.
#[derive(Clone, Copy)]
pub struct ToolSpec {
    /// The contract's name.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    pub parameters: &'static [Parameter],
    /// Runs it with a JSON object of arguments.
    run: fn(&str, &Bench<'_>) -> Result<Given, ToolError>,
    /// The program it needs, where it needs one.
    pub program: Option<&'static str>,
}

impl ToolSpec {
    /// Runs it with a JSON object of arguments, without a log and without a gate.
    pub fn call(&self, arguments: &str, bench: &Bench<'_>) -> Result<Given, ToolError> {
        (self.run)(arguments, bench)
    }
}

impl std::fmt::Debug for ToolSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolSpec").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a parameter's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Text,
    /// One text, or a list of them.
    Texts,
    Number,
    /// True where it is given without a value.
    Flag,
    /// Anything else, as JSON.
    Json,
}

impl ParameterKind {
    /// The word in JSON, where it can be JSON Schema's.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Texts => "array",
            Self::Number => "integer",
            Self::Flag => "boolean",
            Self::Json => "object",
        }
    }
}

/// What an agent wants done: a tool, and what it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The contract's name of the tool.
    pub tool: String,
    /// A JSON object.
    pub arguments: String,
}

impl Step {
    /// A step of this tool with these arguments.
    pub fn new(
        tool: &str,
        arguments: &(impl Serialize + ?Sized),
    ) -> Result<Self, serde_json::Error> {
        let arguments = serde_json::to_string(arguments)?;
        Ok(Self { tool: tool.to_owned(), arguments })
    }
}

/// What a tool may be told: a member of its arguments, and a flag on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    pub required: bool,
    /// One line.
    pub about: &'static str,
}

impl Parameter {
    /// One that must be told.
    pub const fn required(name: &'static str, kind: ParameterKind, about: &'static str) -> Self {
        Self { name, kind, required: true, about }
    }

    /// One that may be left out.
    pub const fn optional(name: &'static str, kind: ParameterKind, about: &'static str) -> Self {
        Self { name, kind, required: false, about }
    }
}

/// What a tool works with.
#[derive(Clone, Copy)]
pub struct Bench<'b> {
    pub workspace: &'b Workspace,
    /// Where there is one; only `memory_query` needs it.
    pub project: Option<&'b Project>,
    pub session: Option<SessionId>,
    /// Set where the caller wants what runs to end.
    pub stop: &'b AtomicBool,
}

impl Bench<'_> {
    /// Whether the caller wants what runs to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

// A claim of success, judged and recorded.

impl ToolLayer<'_> {
    /// Holds a claim against what the journal has of the session, and records what became of it.
    pub fn claim(&self, text: &str) -> Result<Claim, ToolError> {
        let grounding = self.grounding()?;
        let cited = Cited::new(self.project());
        let claim = judge_claim(&grounding, text, |citation| cited.find(citation))?;
        let refusal = claim.refusal.iter();
        let refused = refusal.map(|refusal| refusal_alone(refusal, self.mode(), None, None));
        let bodies = [claim.body()].into_iter().chain(refused).collect();
        self.record(bodies).map_err(|source| ToolError::Record { source })?;
        Ok(claim)
    }
}

/// What the gate said of a call, and what its agent should have read.
#[derive(Clone, Debug, PartialEq)]
pub struct GateNotice {
    pub refusal: Refusal,
    /// Under [`GateMode::Enforce`] the call did not run.
    pub mode: GateMode,
    /// The timeline; given to the agent unless the gate only observes.
    pub block: TimelineBlock,
}
