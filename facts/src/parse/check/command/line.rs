//! Command lines that were read a moment ago: of one call the gate, the index, the graph and whoever looks for repairs
//! each ask what it checks, and agents run one check again and again.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use super::{CheckCall, calls};
use crate::parse::check::CheckRules;
use crate::parse::shell::Script;

/// A command line, and all that it checks.
#[derive(Debug)]
pub struct Line {
    pub script: Script,
    pub calls: Vec<CheckCall>,
}

/// Lines that are kept, and the bytes of one.
const LINES_MAX: usize = 128;
const BYTES_MAX: usize = 1 << 10;

/// Full, it begins anew.
static KEPT: LazyLock<Mutex<HashMap<String, Arc<Line>>>> = LazyLock::new(Mutex::default);

impl Line {
    /// `own` are the project's own checks: where there are any, what a line checks is nobody else's to know.
    pub fn of(command: &str, own: &CheckRules) -> Arc<Self> {
        Self::found(command, own, |_| true)
    }

    /// As [`Self::of`], of one that is asked of again only where it checks something.
    pub fn of_begun(command: &str, own: &CheckRules) -> Arc<Self> {
        Self::found(command, own, |line| !line.calls.is_empty())
    }

    fn found(command: &str, own: &CheckRules, is_kept: impl Fn(&Self) -> bool) -> Arc<Self> {
        if !own.checks().is_empty() || command.len() > BYTES_MAX {
            return Arc::new(Self::read(command, own));
        }
        let kept = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept().get(command) {
            return Arc::clone(known);
        }
        let line = Arc::new(Self::read(command, own));
        if !is_kept(&line) {
            return line;
        }
        let mut kept = kept();
        if kept.len() >= LINES_MAX {
            kept.clear();
        }
        kept.insert(command.to_owned(), Arc::clone(&line));
        line
    }

    fn read(command: &str, own: &CheckRules) -> Self {
        let script = Script::of(command);
        let calls = calls(&script, own);
        Self { script, calls }
    }
}

#[cfg(test)]
mod tests;
