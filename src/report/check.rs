//! The runs of each check over time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Bounded;
use super::limits::{CHECK_MARKS_MAX, CHECKS_MAX, LINE_CHARS_MAX};
use super::text::line;
use crate::event::Ordered;
use crate::event::target::Target;
use crate::event::wire;
use crate::execution::query::ExecutionSummary;
use crate::parse::check::{Kind, Verdict};

/// A check, however often it ran.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// What was called, without what changes from one attempt to the next.
    pub what: String,
    pub kind: Option<Kind>,
    pub program: Option<String>,
    pub passed: u64,
    pub failed: u64,
    /// Runs of which nobody knows how they ended.
    pub unknown: u64,
    /// The oldest first; where there are more, the newest.
    pub runs: Vec<CheckMark>,
    /// So many earlier ones.
    pub runs_left_out: u64,
    /// Its last run failed, and no other check has shown since that it does not fail any more.
    pub is_failing: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct CheckMark {
    pub call: String,
    pub sequence: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    pub verdict: Verdict,
    /// The one line that says most, where it did not pass.
    pub why: Option<String>,
}

impl Check {
    pub fn last(&self) -> Option<&CheckMark> {
        self.runs.last()
    }
}

#[derive(Debug, Default)]
pub struct Checks {
    all: BTreeMap<String, Check>,
}

impl Checks {
    pub fn take(&mut self, call: &ExecutionSummary) {
        let (Some(kind), Some(verdict)) = (call.checked, call.verdict) else { return };
        let target = call.target.clone().unwrap_or_else(|| call.tool.clone());
        let normal = Target::of_command(target).normal;
        let check = self.all.entry(normal).or_insert_with_key(|what| Check {
            what: line(what, LINE_CHARS_MAX),
            kind: Some(kind),
            program: call.program.clone(),
            passed: 0,
            failed: 0,
            unknown: 0,
            runs: Vec::new(),
            runs_left_out: 0,
            is_failing: false,
        });
        *match verdict {
            Verdict::Passed => &mut check.passed,
            Verdict::Failed => &mut check.failed,
            _ => &mut check.unknown,
        } += 1;
        let why = call.why().filter(|_| verdict != Verdict::Passed);
        check.runs.push(CheckMark {
            call: call.reference(),
            sequence: call.sequence,
            at_ms: call.at_ms,
            verdict,
            why: why.map(|it| line(it, LINE_CHARS_MAX)),
        });
        if check.runs.len() > CHECK_MARKS_MAX {
            check.runs.remove(0);
            check.runs_left_out += 1;
        }
    }

    /// Those that fail first, then the one that ran last. `pending`: calls whose failure nothing has ended.
    pub fn end(self, pending: &BTreeSet<u64>) -> Bounded<Check> {
        let mut all: Vec<_> = self.all.into_values().collect();
        for check in &mut all {
            let failed = check.last().filter(|it| it.verdict == Verdict::Failed);
            check.is_failing = failed.is_some_and(|it| pending.contains(&it.sequence));
        }
        all.order_by_key(|it| Reverse((it.is_failing, it.last().map(|it| it.sequence))));
        Bounded::first(all, CHECKS_MAX)
    }
}
