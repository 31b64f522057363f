//! What was found, as JSON.

use super::list::place;
use crate::cli::rows;
use crate::execution::query::{
    Candidate, ExecutionSummary, FileOutcome, Pattern, Recurring, Resolution,
};
use crate::grounding::recent::RecentFailures;
use crate::output::{time, wire};

/// An execution in its journal.
pub fn execution(journal: &Option<String>, row: &ExecutionSummary) -> wire::Execution {
    wire::Execution { journal: journal.clone(), ..rows::execution(row) }
}

/// An execution in a list that is read in pages.
pub fn found(journal: &Option<String>, row: &ExecutionSummary) -> wire::Found {
    wire::Found { execution: execution(journal, row), cursor: place(row).to_string() }
}

pub fn resolution(journal: &Option<String>, one: &Resolution) -> wire::Resolution {
    let candidate = |candidate: &Candidate| wire::Candidate {
        execution: execution(journal, &candidate.execution),
        changed: candidate
            .changed
            .iter()
            .map(|(path, role)| wire::Touched {
                path: path.clone(),
                role: role.as_str().to_owned(),
            })
            .collect(),
    };
    wire::Resolution {
        journal: journal.clone(),
        code: one.code.clone(),
        resolved_by: execution(journal, &one.resolved_by),
        first_seen: execution(journal, &one.first_seen),
        last_seen: execution(journal, &one.last_seen),
        checks: one.checks,
        checks_more: one.checks_more,
        diagnostics: one.diagnostics.clone(),
        basis: one.basis.as_str(),
        candidates: one.candidates.iter().map(candidate).collect(),
        candidates_more: one.candidates_more,
        cursor: place(&one.last_seen).to_string(),
    }
}

pub fn pattern(journal: &Option<String>, one: &Pattern) -> wire::Pattern {
    wire::Pattern {
        journal: journal.clone(),
        tool: one.tool.clone(),
        target: one.target().map(str::to_owned),
        executions: one.executions(),
        ok: one.ok,
        failed: one.failed,
        refused: one.refused,
        interrupted: one.interrupted,
        failure_rate: one.failure_rate(),
        first: time::utc(one.first_ms),
        last: time::utc(one.last_ms),
        last_executions: one.last.iter().map(|row| execution(journal, row)).collect(),
    }
}

pub fn recent(journal: &Option<String>, one: Option<&RecentFailures>) -> wire::Recent {
    let executions = one.map(|one| one.executions.as_slice()).unwrap_or_default();
    wire::Recent {
        journal: journal.clone(),
        has_failed_recently: one.is_some(),
        more: one.is_some_and(|one| one.more),
        executions: executions.iter().map(|row| execution(journal, row)).collect(),
    }
}

pub fn recurring(journal: &Option<String>, one: &Recurring) -> wire::Recurring {
    wire::Recurring {
        journal: journal.clone(),
        code: one.code.clone(),
        executions: one.executions,
        sessions: one.sessions,
        still_present: one.still_present,
        first: execution(journal, &one.first),
        last: execution(journal, &one.last),
    }
}

pub fn file(journal: &Option<String>, one: &FileOutcome) -> wire::FileOutcome {
    wire::FileOutcome {
        journal: journal.clone(),
        path: one.path.clone(),
        last: execution(journal, &one.last),
        last_change: one.last_change.as_ref().map(|row| execution(journal, row)),
    }
}
