//! Checks that no longer showed what the one before them on the same target had shown.
//!
//! A check that finds nothing names no file, so that the graph has no edge to any: it belongs to a
//! file's chain for what it no longer shows there (ruling 8). That is an order in time, not a proof.

use std::collections::BTreeSet;

use super::TraceStep;
use crate::event::Outcome;
use crate::execution::query::{EdgeType, QueryError, Stores};
use crate::store::Ask;

/// The next execution of the same tool on the same target that ran to its end.
pub(super) const NEXT_CHECK: &str = "SELECT m.seq, m.id FROM executions p CROSS JOIN executions m \
     ON m.target_key = p.target_key AND m.tool = p.tool AND m.corrected_by IS NULL \
     AND m.outcome IN ('ok', 'failed') AND (m.at_ms, m.at_seq) > (p.at_ms, p.at_seq) \
     WHERE p.id = ?1 AND p.target_key IS NOT NULL ORDER BY m.at_ms, m.at_seq LIMIT 1";

/// The labels of an execution's diagnostics.
pub(super) const LABELS: &str = "SELECT l.label FROM execution_labels x CROSS JOIN labels l \
     ON l.number = x.label WHERE x.execution = ?1 LIMIT 1000";

impl Stores {
    /// Says of each check in a chain what it no longer showed; one that is not in the chain and
    /// lies not after `until_ms` is added at its place.
    pub(super) fn add_cleared(
        &self,
        steps: &mut Vec<TraceStep>,
        until_ms: u64,
    ) -> Result<(), QueryError> {
        let showed: Vec<(String, BTreeSet<String>)> = steps
            .iter()
            .map(|step| (step.execution_id.to_string(), labels(step)))
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
            match steps.iter_mut().find(|step| step.execution_id.to_string() == next) {
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
        let after = |step: &TraceStep| match &step.summary {
            Some(other) => (other.at_ms, other.sequence) > (summary.at_ms, summary.sequence),
            None => step.at_ms > summary.at_ms,
        };
        let at = steps.iter().position(after).unwrap_or(steps.len());
        let step = TraceStep {
            execution_id: summary.id,
            tool: summary.tool.clone(),
            at_ms: summary.at_ms,
            success: summary.outcome == Some(Outcome::Ok),
            summary: Some(summary),
            links: Vec::new(),
            links_more: false,
            cleared,
        };
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
