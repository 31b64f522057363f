//! The whole causal chain of a file or a symbol: the graph's steps, with what the index knows of
//! each, and with the checks that no longer showed what an earlier one had.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::Serialize;

use super::code_graph::ExecutionChain;
use super::{
    After, ChainStep, DiagnosticId, EdgeType, ExecutionSummary, GraphDiagnostic, Link, PAGE_ITEMS,
    PAGE_ITEMS_MAX, QueryError, Stores, text,
};
use crate::event::Outcome;
use crate::store::Ask;

/// One execution of a causal chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// As the index has it; where it does not, with what the graph tells, and a sequence of 0.
    #[serde(flatten)]
    pub execution: ExecutionSummary,
    /// Its edges in the graph. None where it is in the chain only for what it no longer showed.
    pub links: Vec<Link>,
    pub links_more: bool,
    /// Diagnostics (their codes, or their levels) that the check before it on the same target showed
    /// here, and that it no longer did: what came in between may have resolved them.
    pub cleared: Vec<String>,
}

impl TraceStep {
    /// Whether the index knows it, and not the graph alone.
    pub fn is_indexed(&self) -> bool {
        self.execution.sequence > 0
    }

    pub fn succeeded(&self) -> bool {
        self.execution.outcome == Some(Outcome::Ok)
    }
}

/// A page of a causal chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The oldest first.
    pub steps: Vec<TraceStep>,
    /// What to give `page` for the older steps; `None` where there are none.
    pub next: Option<After>,
    /// The diagnostic before which the chain ends.
    pub before: Option<GraphDiagnostic>,
    /// Whether the graph knows what the chain is of.
    pub known: bool,
}

/// A question for a causal chain; [`Self::fetch`] answers it.
#[derive(Clone, Debug)]
#[must_use = "a chain is asked for by `fetch`"]
pub struct TraceQuery<'s> {
    stores: &'s Stores,
    what: String,
    is_symbol: bool,
    file: Option<String>,
    before: Option<DiagnosticId>,
    limit: usize,
    after: Option<After>,
}

impl Stores {
    /// Everything that was done on a file, given from the project's root, or absolute.
    pub fn trace_file(&self, path: &str) -> TraceQuery<'_> {
        self.trace(path, false)
    }

    /// Everything that was done on a symbol, and to the files that define it.
    pub fn trace_symbol(&self, symbol: &str) -> TraceQuery<'_> {
        self.trace(symbol, true)
    }

    fn trace(&self, what: &str, is_symbol: bool) -> TraceQuery<'_> {
        let (what, limit) = (what.to_owned(), PAGE_ITEMS);
        TraceQuery { stores: self, what, is_symbol, file: None, before: None, limit, after: None }
    }
}

impl TraceQuery<'_> {
    /// Only what came before the execution that produced this diagnostic first.
    pub fn before_diagnostic(mut self, id: impl Into<DiagnosticId>) -> Self {
        self.before = Some(id.into());
        self
    }

    /// Only the symbol that this file defines.
    pub fn in_file(mut self, path: &str) -> Self {
        self.file = Some(path.to_owned());
        self
    }

    /// At most this many steps, the newest, of those before the place where the last page ended.
    pub fn page(mut self, limit: usize, after: Option<After>) -> Self {
        self.limit = limit.clamp(1, PAGE_ITEMS_MAX);
        self.after = after;
        self
    }

    /// The page.
    pub fn fetch(&self) -> Result<Trace, QueryError> {
        let graph =
            self.stores.graph().map_err(|why| QueryError::NoGraph { why: why.to_string() })?;
        let mut chain = match self.is_symbol {
            true => graph.execution_chain_affecting_symbol(&self.what),
            false => graph.execution_chain_of_file(&self.what),
        };
        if let Some(file) = &self.file {
            chain = chain.in_file(file);
        }
        if let Some(before) = &self.before {
            chain = chain.before_diagnostic(before.clone());
        }
        self.answered(&chain.page(self.limit, self.after))
    }

    fn answered(&self, chain: &ExecutionChain<'_>) -> Result<Trace, QueryError> {
        let page = chain.fetch()?;
        let mut steps = Vec::with_capacity(page.items.len());
        for step in page.items {
            steps.push(self.stores.traced(step)?);
        }
        let before = chain.diagnostic()?;
        // What is newer than the page belongs to another one, or is not asked for.
        let open_ended = self.after.is_none() && before.is_none();
        let until = match (open_ended, steps.last()) {
            (true, _) => u64::MAX,
            (false, last) => last.map_or(0, |step| step.execution.at_ms),
        };
        self.stores.add_cleared(&mut steps, until)?;
        Ok(Trace { steps, next: page.next, before, known: chain.is_known()? })
    }
}

impl Stores {
    fn traced(&self, step: ChainStep) -> Result<TraceStep, QueryError> {
        let ChainStep { execution, links, links_more } = step;
        let known = self.summary_of(&execution.execution_id.to_string())?;
        let execution = known.unwrap_or_else(|| ExecutionSummary {
            journal: self.journal.clone(),
            id: execution.execution_id,
            at_ms: execution.timestamp,
            tool: execution.tool,
            outcome: Some(if execution.success { Outcome::Ok } else { Outcome::Failed }),
            ..ExecutionSummary::default()
        });
        Ok(TraceStep { execution, links, links_more, cleared: Vec::new() })
    }

    fn summary_of(&self, id: &str) -> Result<Option<ExecutionSummary>, QueryError> {
        let sql = "SELECT {columns} FROM executions e LEFT JOIN sessions s \
                   ON s.number = e.session WHERE e.id = ?1";
        Ok(self.summaries(sql, &[text(id)])?.pop())
    }
}

// Checks that no longer showed what the one before them on the same target had shown.
//
// A check that finds nothing names no file, so that the graph has no edge to any: it belongs to a
// file's chain for what it no longer shows there (ruling 8). That is an order in time, not a proof.

/// The next execution of the same tool on the same target that ran to its end.
const NEXT_CHECK: &str = "SELECT m.seq, m.id FROM executions p CROSS JOIN executions m \
     ON m.target_key = p.target_key AND m.tool = p.tool AND m.corrected_by IS NULL \
     AND m.outcome IN ('ok', 'failed') AND (m.at_ms, m.at_seq) > (p.at_ms, p.at_seq) \
     WHERE p.id = ?1 AND p.target_key IS NOT NULL ORDER BY m.at_ms, m.at_seq LIMIT 1";

/// The labels of an execution's diagnostics.
const LABELS: &str = "SELECT l.label FROM execution_labels x CROSS JOIN labels l \
     ON l.number = x.label WHERE x.execution = ?1 LIMIT 1000";

impl Stores {
    /// Says of each check in a chain what it no longer showed; one that is not in the chain and
    /// lies not after `until_ms` is added at its place.
    fn add_cleared(&self, steps: &mut Vec<TraceStep>, until_ms: u64) -> Result<(), QueryError> {
        let showed: Vec<(String, BTreeSet<String>)> = steps
            .iter()
            .map(|step| (step.execution.id.to_string(), labels(step)))
            .filter(|(_, labels)| !labels.is_empty())
            .collect();
        for (id, labels) in showed {
            let found = self.index.answer(NEXT_CHECK, &[Ask::Text(id)], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
            })?;
            let Some((number, next)) = found.into_iter().next() else { continue };
            let still: BTreeSet<String> = self
                .index
                .answer(LABELS, &[Ask::Number(number)], |row| row.get(0))?
                .into_iter()
                .collect();
            let cleared: Vec<String> = labels.difference(&still).cloned().collect();
            if cleared.is_empty() {
                continue;
            }
            match steps.iter_mut().find(|step| step.execution.id.to_string() == next) {
                Some(step) => step.cleared = cleared,
                None => self.add_step(steps, &next, cleared, until_ms)?,
            }
        }
        Ok(())
    }

    fn add_step(
        &self,
        steps: &mut Vec<TraceStep>,
        id: &str,
        cleared: Vec<String>,
        until_ms: u64,
    ) -> Result<(), QueryError> {
        let Some(summary) = self.summary_of(id)?.filter(|found| found.at_ms <= until_ms) else {
            return Ok(());
        };
        let after = |step: &TraceStep| {
            let other = &step.execution;
            match step.is_indexed() {
                true => (other.at_ms, other.sequence) > (summary.at_ms, summary.sequence),
                false => other.at_ms > summary.at_ms,
            }
        };
        let at = steps.iter().position(after).unwrap_or(steps.len());
        let (links, links_more) = (Vec::new(), false);
        let step = TraceStep { execution: summary, links, links_more, cleared };
        steps.insert(at, step);
        Ok(())
    }
}

/// What an execution's edges say it showed.
fn labels(step: &TraceStep) -> BTreeSet<String> {
    let produced = step.links.iter().filter(|link| link.edge == EdgeType::Produced);
    produced
        .filter_map(|link| link.diagnostic.as_ref())
        .map(|found| found.code.clone().unwrap_or_else(|| found.level.clone()))
        .collect()
}
