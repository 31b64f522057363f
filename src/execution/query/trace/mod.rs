//! The whole causal chain of a file or a symbol: the graph's steps, with what the index knows of
//! each, and with the checks that no longer showed what an earlier one had.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde::Serialize;

use super::code_graph::ExecutionChain;
use super::next_check::Coverages;
use super::{
    After, ChainStep, EdgeType, ExecutionSummary, GraphDiagnostic, Link, QueryError, Stores,
};
use crate::event::Outcome;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceStep {
    /// As the index has it; where it does not, with what the graph tells, and a sequence of 0.
    #[serde(flatten)]
    pub execution: ExecutionSummary,
    /// Its edges in the graph. None where it is in the chain only for what it no longer showed.
    pub links: Vec<Link>,
    pub links_more: bool,
    /// Diagnostics (their codes, or their levels) that an earlier check showed here, that this one would
    /// have shown, and did not: what came in between may have resolved them.
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

impl Stores {
    /// A page of a causal chain.
    pub fn trace(&self, chain: &ExecutionChain<'_>) -> Result<Trace, QueryError> {
        let page = chain.fetch()?;
        let mut steps = Vec::with_capacity(page.items.len());
        for step in page.items {
            steps.push(self.traced(step)?);
        }
        // What is newer than the page belongs to another one, or is not asked for.
        let until = match (chain.is_newest(), steps.last()) {
            (true, _) => u64::MAX,
            (false, last) => last.map_or(0, |step| step.execution.at_ms),
        };
        self.add_cleared(&mut steps, until)?;
        let (before, known) = (chain.diagnostic()?, chain.is_known()?);
        Ok(Trace { steps, next: page.next, before, known })
    }

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
}

// Checks that no longer showed what an earlier one had shown, and would have (`next_check.rs`).
//
// A check that finds nothing names no file, so that the graph has no edge to any: it belongs to a
// file's chain for what it no longer shows there (ruling 8). That is an order in time, not a proof.

const SHOWN: &str = "SELECT x.execution, l.label, l.number FROM executions e \
     CROSS JOIN execution_labels x ON x.execution = e.seq \
     CROSS JOIN labels l ON l.number = x.label WHERE e.id = ?1 LIMIT 1000";

const WITHOUT: &str = "SELECT e.id FROM executions e WHERE e.seq = ?1 AND NOT EXISTS \
     (SELECT 1 FROM execution_labels x WHERE x.execution = e.seq AND x.label = ?2)";

impl Stores {
    /// Says of each check in a chain what it no longer showed; one that is not in the chain and
    /// lies not after `until_ms` is added at its place.
    fn add_cleared(&self, steps: &mut Vec<TraceStep>, until_ms: u64) -> Result<(), QueryError> {
        let coverages = Coverages::default();
        let showed: Vec<(String, BTreeSet<String>)> = steps
            .iter()
            .map(|step| (step.execution.id.to_string(), labels(step)))
            .filter(|(_, labels)| !labels.is_empty())
            .collect();
        for (id, labels) in showed {
            let shown: Vec<(i64, String, i64)> = self.index.all(SHOWN, [id])?;
            for (check, label, number) in shown.into_iter().filter(|it| labels.contains(&it.1)) {
                let Some(next) = self.next_check(check, number, &coverages)? else { continue };
                let Some(next) = self.index.cell::<String>(WITHOUT, [next, number])? else {
                    continue;
                };
                match steps.iter_mut().find(|step| step.execution.id.to_string() == next) {
                    Some(step) if step.cleared.contains(&label) => {}
                    Some(step) => step.cleared.push(label),
                    None => self.add_step(steps, &next, vec![label], until_ms)?,
                }
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
