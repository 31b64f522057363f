//! The tools themselves: reading, searching, editing, checking, asking. They work on files without
//! any log; [`ToolLayer`] runs them behind the gate and records them.

mod error;
mod invocation;
mod layer;
mod list;
pub(crate) mod program;
pub(crate) mod workspace;

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::event::{SessionId, words};
use crate::journal::Project;

pub use error::{Result, ToolError};
pub use invocation::{GateNotice, Given, Invocation};
pub use layer::ToolLayer;
pub use list::TOOLS;
pub use workspace::{Onto, Place, PlaceError, Workspace};

pub(crate) use list::memory_query;

/// Of a path, the bytes that are read.
pub const PATH_BYTES_MAX: usize = 4_096;
pub const TEXT_BYTES_MAX: usize = 256 << 10;
/// A file that is edited, or written whole.
pub const EDIT_BYTES_MAX: usize = 16 << 20;
pub const EDITS_LEN_MAX: usize = 256;
pub const READ_LINES: usize = 2_000;
/// Of a file, the beginning in which a NUL makes it binary.
pub const SNIFFED_BYTES: usize = 8 << 10;
pub const SEARCHED_BYTES_MAX: u64 = 8 << 20;
/// Files that one search or listing looks at.
pub const FILES_LEN_MAX: usize = 200_000;
/// How long one search or listing may take, milliseconds.
pub const SEARCH_MS_MAX: u64 = 20_000;
pub const LINE_BYTES_MAX: usize = 400;
/// Matches and names that are given where the call says nothing, and at most.
pub const MATCHES_LEN: usize = 200;
pub const NAMES_LEN: usize = 1_000;
pub const FOUND_LEN_MAX: usize = 5_000;
pub const CONTEXT_LINES_MAX: usize = 20;
/// Of a pattern, the bytes, and what it may grow to when it is compiled.
pub const PATTERN_BYTES_MAX: usize = 4 << 10;
pub const PATTERN_COMPILED_BYTES_MAX: usize = 4 << 20;
/// A program that a tool runs, seconds: where the call says nothing, and at most.
pub const PROGRAM_S: u64 = 300;
pub const PROGRAM_S_MAX: u64 = 3_600;
pub const PLAN_STEPS_MAX: usize = 64;

const _: () = assert!(TEXT_BYTES_MAX <= crate::event::limits::INLINE_BYTES_MAX);
const _: () = assert!(MATCHES_LEN <= FOUND_LEN_MAX && NAMES_LEN <= FOUND_LEN_MAX);

#[derive(Clone, Copy)]
pub struct ToolSpec {
    pub name: &'static str,
    pub about: &'static str,
    pub parameters: &'static [Parameter],
    run: fn(&str, &Bench<'_>) -> Result<Given>,
    /// The program it needs, where it needs one.
    pub program: Option<&'static str>,
}

impl ToolSpec {
    pub fn call(&self, arguments: &str, bench: &Bench<'_>) -> Result<Given> {
        (self.run)(arguments, bench)
    }
}

impl std::fmt::Debug for ToolSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToolSpec").field("name", &self.name).finish_non_exhaustive()
    }
}

words! {
    /// What a parameter's value is, with JSON Schema's word.
    pub enum ParameterKind {
        Text = "string",
        /// One text, or a list of them.
        Texts = "array",
        Number = "integer",
        /// True where it is given without a value.
        Flag = "boolean",
        /// Anything else, as JSON.
        Json = "object",
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub tool: String,
    pub arguments: String,
}

impl Step {
    pub fn new(
        tool: &str,
        arguments: &(impl Serialize + ?Sized),
    ) -> Result<Self, serde_json::Error> {
        let arguments = serde_json::to_string(arguments)?;
        Ok(Self { tool: tool.to_owned(), arguments })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    pub required: bool,
    pub about: &'static str,
}

impl Parameter {
    pub const fn required(name: &'static str, kind: ParameterKind, about: &'static str) -> Self {
        Self { name, kind, required: true, about }
    }

    pub const fn optional(name: &'static str, kind: ParameterKind, about: &'static str) -> Self {
        Self { name, kind, required: false, about }
    }
}

#[derive(Clone, Copy)]
pub struct Bench<'b> {
    pub workspace: &'b Workspace,
    /// Where there is one; only `memory_query` needs it.
    pub project: Option<&'b Project>,
    pub session: Option<SessionId>,
    pub stop: &'b AtomicBool,
}

impl Bench<'_> {
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
