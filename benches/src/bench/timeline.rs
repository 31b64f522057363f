//! Spec 001's questions, of one session and of the project: what a gate and a prompt wait for.

use annals::internal::grounding::timeline::{MemoryQuery, TIMELINE_ITEMS, TimelineScope};

use super::queries::Opened;
use crate::BenchError;
use crate::harness::{Asking, Question};

/// What each must be answered in, milliseconds.
pub const TARGET_MS: f64 = 2.0;

/// The questions, by name.
pub fn questions(opened: &Opened) -> Result<Vec<Asking<'_>>, BenchError> {
    let Opened { stores, count, .. } = opened;
    let count = *count;
    let asking = BenchError::program("asking");
    let newest = stores.newest_session().map_err(asking)?;
    let session = newest.map(|id| ("session", TimelineScope::Session(id)));
    let mut all = Vec::new();
    for (whose, scope) in session.into_iter().chain([("project", TimelineScope::Project)]) {
        let memory = |text: &str| MemoryQuery::parse(text).map_err(BenchError::program("asking"));
        let after = memory(&format!("tool=lsp_check, success=true, after_id={}", count / 2))?;
        let summary = memory("timeline_summary, last=10")?;
        let rows = |answer: annals::internal::grounding::timeline::MemoryAnswer| {
            answer.returned() as usize
        };
        let asked: [(&str, Question<'_>); 7] = [
            (
                "get_timeline_position",
                Box::new(
                    move || Ok(stores.get_timeline_position(scope)?.total_executions as usize),
                ),
            ),
            (
                "get_recent_timeline, 10",
                Box::new(move || Ok(stores.get_recent_timeline(scope, TIMELINE_ITEMS)?.len())),
            ),
            (
                "get_preceding_context",
                Box::new(move || {
                    Ok(stores.get_preceding_context(scope, count / 2, TIMELINE_ITEMS)?.len())
                }),
            ),
            (
                "get_pending_failures",
                Box::new(move || Ok(stores.get_pending_failures(scope)?.len())),
            ),
            ("failure_loops", Box::new(move || Ok(stores.failure_loops(scope)?.len()))),
            (
                "memory_query(tool, success, after_id)",
                Box::new(move || Ok(rows(stores.memory_query(&after, scope)?))),
            ),
            (
                "memory_query(timeline_summary, last=10)",
                Box::new(move || Ok(rows(stores.memory_query(&summary, scope)?))),
            ),
        ];
        all.extend(asked.map(|(name, ask)| Asking::new(format!("{name}, {whose}"), ask)));
    }
    Ok(all)
}
