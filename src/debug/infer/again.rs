//! Runs of the same tests of the same code.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::edit::CommandLine;
use super::run::Run;
use crate::event::{CodeQualityIssue, ExecutionStarted, Learnings, Severity, debug_time};
use crate::parse::has_word;

/// Tests that ended otherwise than they just had, with the same code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flip {
    pub at_ms: u64,
    pub tests: Vec<String>,
}

/// What a flaky test is called in a document, before the time at which it was seen.
pub const FLAKY: &str = "flaky: it failed and passed with the same code, ";

impl Flip {
    pub fn issue(&self) -> String {
        format!("{FLAKY}{}", debug_time(self.at_ms))
    }

    pub fn learnings(&self, tests: Vec<String>) -> Learnings {
        let issue = |test| CodeQualityIssue {
            issue: Some(self.issue()),
            location: Some(test),
            severity: Some(Severity::Minor),
            addressed: None,
        };
        let issues = tests.into_iter().map(issue).collect();
        Learnings { code_quality_issues: Some(issues), ..Learnings::default() }
    }
}

/// Tests that failed in one run and not in the other; none where either does not know all of them.
pub fn flipped(one: &Run, other: &Run) -> Vec<String> {
    if [one, other].into_iter().any(|it| it.has_failed() && it.ran_none() || it.report.left_out > 0)
    {
        return Vec::new();
    }
    let failed = |run: &Run| -> BTreeSet<String> {
        run.report.failures.iter().map(|it| it.test_name.clone()).collect()
    };
    failed(one).symmetric_difference(&failed(other)).cloned().collect()
}

impl Run {
    /// Whether another runs the same tests in the same manner.
    pub fn is_same(&self, other: &Self) -> bool {
        self.runner() == other.runner()
            && self.folder == other.folder
            && self.selection == other.selection
            && settings(&self.command).eq(settings(&other.command))
    }
}

/// `A=1 pytest`
fn settings(command: &str) -> impl Iterator<Item = &str> {
    command.split_whitespace().filter(|it| it.contains('=') && !it.starts_with('-'))
}

/// Tools that look only, and calls that do not reach the project.
const LOOKING: [&str; 8] =
    ["file_read", "search", "glob", "symbol", "memory_query", "todo", "fetch", "lsp_check"];
/// Programs that look only.
const LOOKERS: &str = "cat grep rg head tail less sed awk ls find echo printf cd pwd wc sort uniq cut tr jq which \
    true sleep stat file diff tree date git ps";

/// Whether a call may have changed what the tests go by, though nobody recorded that.
pub fn may_touch(started: &ExecutionStarted, command: Option<&CommandLine>) -> bool {
    match command {
        Some(command) => !command.runs_tests && !command.parts().all(looks),
        None => {
            let tool = started.tool.to_ascii_lowercase();
            !LOOKING.iter().any(|it| tool.contains(it))
        }
    }
}

fn looks(part: &str) -> bool {
    let program = part.split_whitespace().next().unwrap_or_default();
    program.is_empty() || has_word(LOOKERS, program)
}
