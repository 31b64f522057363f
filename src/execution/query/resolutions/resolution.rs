//! A diagnostic that was there and then was not.

use crate::execution::query::{ExecutionSummary, PathRole};

/// A diagnostic that was there and then was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolution {
    /// The code; where there is none, the level.
    pub code: String,
    /// The first check that no longer showed it.
    pub resolved_by: ExecutionSummary,
    /// The first and the last of the checks in a row that showed it.
    pub first_seen: ExecutionSummary,
    pub last_seen: ExecutionSummary,
    /// How many those were.
    pub checks: usize,
    /// There were more of them than were counted, and the first is an earlier one.
    pub checks_more: bool,
    /// The diagnostics of the code at the last of them, a line each.
    pub diagnostics: Vec<String>,
    /// How the candidates were found.
    pub basis: Basis,
    /// What changed files between the last check that showed it and the first that did not, the
    /// newest last.
    pub candidates: Vec<Candidate>,
    /// There were earlier ones.
    pub candidates_more: bool,
}

/// How causes were found. There is no other way than time: what was between may have been the
/// cause, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// It happened between: never proven.
    Temporal,
}

impl Basis {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Temporal => "temporal",
        }
    }
}

/// An execution that changed files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub execution: ExecutionSummary,
    /// The files that it changed or created.
    pub changed: Vec<(String, PathRole)>,
}
