//! Whether what was read from a file can be a fold at all: lists, counters, places and times.

use super::{
    Grounding, GroundingEntry, LIST_MAX, Moment, PendingFailure, RECENT_MAX, REPOS_MAX,
    RESOLVED_MAX, StepSoFar,
};

impl Grounding {
    /// Whether it holds no more than a fold ever keeps, and tells of nothing beyond the events that
    /// it says it folded, nor later than `latest_ms`: what was read from a file may.
    pub fn is_bounded(&self, latest_ms: u64) -> bool {
        let moment = |it: &Moment| {
            let clock_ms = it.raw_ms.unwrap_or(it.at_ms);
            it.sequence <= self.through && it.at_ms.max(clock_ms) <= latest_ms
        };
        let ordinal = |it: &Option<u64>| it.is_none_or(|it| it <= self.ordinals.count());
        let entry = |it: &GroundingEntry| moment(&it.moment) && ordinal(&it.ordinal);
        self.lists_are_bounded()
            && self.ordinals.count() <= self.through
            && self.counters().into_iter().all(|count| count <= self.through)
            && self.last_ms <= latest_ms
            && [&self.last_read, &self.last_failure, &self.last_mutation]
                .into_iter()
                .flatten()
                .all(moment)
            && [&self.last_ok, &self.last_failed].into_iter().all(ordinal)
            && self.entries().all(entry)
            && self.open.iter().chain(&self.given_up).all(|it| moment(&it.started))
            && self.denied.iter().all(|it| it.sequence <= self.through)
            && self.step.refusals.iter().all(|it| it.sequence <= self.through)
            && self.step.began.is_none_or(|began| began <= self.through)
            && self.pending.iter().all(|it| self.is_possible(it, latest_ms))
    }

    fn is_possible(&self, pending: &PendingFailure, latest_ms: u64) -> bool {
        let PendingFailure { failures, same, edits, .. } = pending;
        *failures > 0
            && [failures, same, edits].into_iter().all(|count| *count <= self.through)
            && pending.since_ms <= latest_ms
            && pending.executions.iter().flatten().all(|it| *it <= self.ordinals.count())
    }

    fn lists_are_bounded(&self) -> bool {
        let lists = [
            self.pending.len(),
            self.failed_calls.len(),
            self.open.len(),
            self.given_up.len(),
            self.denied.len(),
        ];
        lists.iter().all(|len| *len <= LIST_MAX)
            && self.recent.len() <= RECENT_MAX
            && self.resolved.len() <= RESOLVED_MAX
            && self.step.failures.len() <= StepSoFar::FAILURES_MAX
            && self.step.changed.len() <= StepSoFar::CHANGED_MAX
            && self.step.outputs.len() <= 2 * StepSoFar::OUTPUTS_MAX
            && self.step.refusals.len() <= StepSoFar::REFUSALS_MAX
            && self.repos.len() <= REPOS_MAX
            && self.ordinals.is_bounded()
    }

    /// What one event adds at most one to.
    fn counters(&self) -> [u64; 14] {
        let step = &self.step;
        [
            self.executions,
            self.failed,
            self.refused,
            self.mutations,
            self.mutations_since_check,
            self.steps,
            self.unmarked_steps,
            step.executions,
            step.ok,
            step.failed,
            step.refused,
            step.interrupted,
            step.mutations,
            step.checks_passed,
        ]
    }

    fn entries(&self) -> impl Iterator<Item = &GroundingEntry> {
        let resolved = self.resolved.iter().flat_map(|it| [&it.failed, &it.resolved]);
        self.recent
            .iter()
            .chain(&self.last_check)
            .chain(&self.step.failures)
            .chain(self.step.outputs.iter().map(|it| &it.entry))
            .chain(self.pending.iter().map(|it| &it.last))
            .chain(self.failed_calls.iter().map(|it| &it.entry))
            .chain(resolved)
    }
}
