//! The timeline of one session, out of its fold: what a model is given without a store.

use crate::event::{Outcome, SessionId};
use crate::grounding::fold::{Grounding, GroundingEntry, PendingFailure};
use crate::grounding::timeline::{
    FailureLoop, FailureRecord, LOOPS_MAX, TimelineBlock, TimelineEntry, TimelinePosition,
};

/// The timeline of the session, as of the last event that was folded.
pub fn block(grounding: &Grounding) -> TimelineBlock {
    let session = grounding.session();
    let shown = |it: &GroundingEntry| entry(it, session);
    let last = grounding.recent().next_back();
    let position = TimelinePosition {
        session: Some(session),
        through_sequence: grounding.through().0,
        total_executions: grounding.executions(),
        last_execution_id: last.and_then(|it| it.ordinal),
        last_success: grounding.last_ok_ordinal(),
        last_failure: grounding.last_failed_ordinal(),
        current_step: grounding.current_step(),
        last_execution: last.map(shown),
        last_query_ms: grounding.last_read().map(|read| read.at_ms),
    };
    let record = |it: &PendingFailure| FailureRecord {
        execution: shown(&it.last),
        failures: it.failures,
        since_ms: it.since_ms,
    };
    let in_loop = |it: &PendingFailure| FailureLoop {
        execution: shown(&it.last),
        failures: it.same,
        executions: newest(&it.executions, it.same),
    };
    let loops = grounding.pending().iter().rev().filter(|it| it.is_loop()).take(LOOPS_MAX);
    TimelineBlock {
        position,
        recent: grounding.recent().map(shown).collect(),
        pending: grounding.pending().iter().rev().map(record).collect(),
        loops: loops.map(in_loop).collect(),
    }
}

/// The ordinals of the last so many.
fn newest(ordinals: &[Option<u64>], count: u64) -> Vec<u64> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    ordinals[ordinals.len().saturating_sub(count)..].iter().flatten().copied().collect()
}

fn entry(entry: &GroundingEntry, session: SessionId) -> TimelineEntry {
    TimelineEntry {
        execution_id: entry.ordinal,
        id: entry.id(),
        sequence: entry.moment.sequence,
        timestamp: entry.moment.at_ms,
        session: Some(session),
        tool_name: entry.tool.clone(),
        success: entry.outcome == Outcome::Ok,
        outcome: Some(entry.outcome),
        affected_path: entry.target.clone(),
        error_summary: entry.error.clone(),
    }
}
