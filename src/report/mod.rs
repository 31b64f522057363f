//! What happened in a part of a journal, as one value: `annals report` shows it as a page, and its JSON is it.
//!
//! Every fact is another room's answer; here they are only put together and kept within bounds.

pub mod activity;
mod calls;
pub mod check;
pub mod failure;
mod files;
pub mod gate;
mod gather;
pub mod integrity;
mod limits;
pub mod memory;
pub mod redaction;
pub mod stand;
pub mod summary;
#[cfg(test)]
mod tests;
mod text;
pub mod turn;
mod walked;

use serde::Serialize;

use crate::event::SessionId;
use crate::execution::query::diff::Diff;
use crate::execution::query::{SessionSummary, Slow};

pub use activity::{Activity, Bucket, ToolUse};
pub use check::Check;
pub use failure::Failure;
pub use gate::{GateFact, GateWord};
pub use gather::Subject;
pub use integrity::Integrity;
pub use memory::MemoryUse;
pub use redaction::Redactions;
pub use stand::{CoreChange, MemoryCounts, Stand, Stands};
pub use summary::Summary;
pub use text::{Bounded, Text};
pub use turn::{Call, Item, Turn};

/// What happened, in a session or a span of a project.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the program that made it.
    pub program: &'static str,
    pub journal: JournalFacts,
    /// What was asked for, in the caller's words; `null` where nothing was.
    pub asked: AskedFor,
    /// What is wrong with what this was made from, in plain words; empty where nothing is known to be.
    pub findings: Vec<String>,
    /// What a question about this journal ends with: see the exit codes.
    pub exit_code: u8,
    pub summary: Summary,
    pub sessions: Bounded<SessionSummary>,
    pub activity: Activity,
    /// By how often they were called.
    pub tools: Bounded<ToolUse>,
    /// Those that took longest, the longest first.
    pub slow: Vec<Slow>,
    /// In order of time: each from one prompt to the next of its session.
    pub turns: Bounded<Turn>,
    pub checks: Bounded<Check>,
    /// Failures, those alike and ended by the same as one, in order of time.
    pub failures: Bounded<Failure>,
    pub diff: Diff,
    pub gate: Bounded<GateFact>,
    pub memory: MemoryUse,
    pub redactions: Redactions,
    pub integrity: Integrity,
    pub stands: Stands,
}

/// Whose journal it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct JournalFacts {
    pub id: String,
    pub project: String,
    /// The project's folder when the journal was made, and the machine.
    pub root: String,
    pub machine: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AskedFor {
    pub session: Option<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    pub at: Option<String>,
}

impl Report {
    /// The session, where it is about one alone.
    pub fn session(&self) -> Option<&SessionSummary> {
        match &self.sessions.items[..] {
            [only] if self.sessions.left_out == 0 => Some(only),
            _ => None,
        }
    }

    /// What a session is called: its title, else the beginning of its id.
    pub fn session_name(&self, id: Option<SessionId>) -> Option<String> {
        let id = id?;
        let found = self.sessions.items.iter().find(|it| it.id == id);
        let short = || id.to_string().chars().take(8).collect();
        Some(found.and_then(|it| it.title.clone()).unwrap_or_else(short))
    }
}
