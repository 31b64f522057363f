//! What the fold tells; and whether what was read from a file can be a fold at all.

use super::{
    CheckKind, DeniedCall, FailedCall, Grounding, GroundingEntry, Hex, LIST_MAX, LeftCheck, Moment,
    OpenCall, PendingFailure, RECENT_MAX, REPOS_MAX, RESOLVED_MAX, Resolution, StepSoFar,
};
use crate::event::target::CallDigest;
use crate::event::{CallKey, Outcome, RepoHash, Sequence, SessionId};
use crate::parse::check::coverage::Coverage;
use crate::parse::check::{Spoken, kinds_in};

impl Grounding {
    pub fn session(&self) -> SessionId {
        self.session.session()
    }

    pub fn through(&self) -> Sequence {
        Sequence(self.through)
    }

    /// The number of the step under way, from 1; between two marks, of the one that would end now.
    pub fn step_number(&self) -> u64 {
        let before = self.steps.saturating_add(self.unmarked_steps);
        before.saturating_add(u64::from(self.step.began.is_none()))
    }

    /// Steps begun; where none was, changes.
    pub fn current_step(&self) -> u64 {
        if self.steps > 0 { self.steps } else { self.mutations }
    }

    /// How many ordinals the whole journal has given: `#1` to this one exist.
    pub fn ordinals(&self) -> u64 {
        self.ordinals.count()
    }

    pub fn is_declared(&self, tool: &str) -> bool {
        self.ordinals.in_force(tool)
    }

    pub fn pending_of(&self, tool: &str, key: CallDigest) -> Option<&PendingFailure> {
        let key = Hex::from(key);
        self.pending.iter().find(|it| it.is_of(tool, key))
    }

    pub fn resolution_of(&self, tool: &str, key: CallDigest) -> Option<&Resolution> {
        let key = Hex::from(key);
        self.resolved.iter().rev().find(|it| it.is_of(tool, key))
    }

    /// How the same was mended before.
    pub fn resolution_before(&self, pending: &PendingFailure) -> Option<&Resolution> {
        self.resolved.iter().rev().find(|it| it.is_of(&pending.last.tool, pending.key))
    }

    /// The newest pending failure of a check that these words say is well.
    pub fn broken(&self, spoken: &Spoken) -> Option<&PendingFailure> {
        let is_against = |it: &Coverage| spoken.is_against(it);
        self.pending.iter().rev().find(|it| it.need.as_ref().is_some_and(is_against))
    }

    /// A check of what these words speak of that began, and of which nobody knows how it ended: none of its
    /// kinds has passed since.
    pub fn lost(&self, spoken: &Spoken) -> Option<&OpenCall> {
        let is_lost = |open: &&OpenCall| {
            let began = open.started.sequence;
            let command = open.command.as_deref().or(open.target.as_deref());
            let wanted = kinds_in(command.unwrap_or_default(), &self.own);
            open.check != CheckKind::None
                && spoken.wants(wanted)
                && self.last_mutation.is_none_or(|it| it.sequence < began)
                && wanted & !self.passed_since(began) != 0
        };
        self.open.iter().rev().find(is_lost)
    }

    /// Whether a check of what these words speak of ended since the last change, none of its kind has passed
    /// since, and nobody knows how it ended.
    pub fn doubts(&self, spoken: &Spoken) -> bool {
        self.unclear != 0 && spoken.wants(self.unclear)
    }

    /// The kinds of the checks that passed after an event.
    fn passed_since(&self, sequence: u64) -> u8 {
        let since = self.recent.iter().filter(|it| it.moment.sequence > sequence);
        let passed = since.filter(|it| it.check != CheckKind::None && it.outcome == Outcome::Ok);
        let proven =
            passed.filter(|it| it.unproven.is_none()).filter_map(|it| it.target.as_deref());
        proven.fold(0, |all, it| all | kinds_in(it, &self.own))
    }

    /// Whether a check of a failed one's kind passed after it, of whatever kind where its own is not known: that it
    /// was mended may be shown by another command.
    pub(super) fn passed_alike(&self, failed: &GroundingEntry) -> bool {
        let kinds = kinds_in(failed.target.as_deref().unwrap_or_default(), &self.own);
        let passed = self.passed_since(failed.moment.sequence);
        passed & if kinds == 0 { u8::MAX } else { kinds } != 0
    }

    /// The check that goes on in the background under an id.
    pub fn left(&self, id: &str) -> Option<&LeftCheck> {
        self.left.iter().rev().find(|it| it.id == id)
    }

    /// Whether a check that failed is pending.
    pub fn fails_check(&self) -> bool {
        self.pending.iter().any(|it| it.last.check != CheckKind::None)
    }

    /// Whether the session ran a check, as far as is known.
    pub fn has_checked(&self) -> bool {
        let is_check = |it: &GroundingEntry| it.check != CheckKind::None;
        self.last_check.is_some() || self.fails_check() || self.recent.iter().any(is_check)
    }

    pub fn failed_call(&self, arguments: CallDigest) -> Option<&FailedCall> {
        let arguments = Hex::from(arguments);
        self.failed_calls.iter().find(|it| it.arguments == arguments)
    }

    pub fn open_call(&self, call: &CallKey) -> Option<&OpenCall> {
        let call = Some(Hex::of_call(call));
        self.open.iter().rev().find(|it| it.call == call)
    }

    pub fn denied_call(&self, call: &CallKey) -> Option<&DeniedCall> {
        let call = Hex::of_call(call);
        self.denied.iter().rev().find(|it| it.call == call)
    }

    /// Whether a call has ended; known of the newest few thousand.
    pub fn call_is_closed(&self, call: &CallKey) -> bool {
        self.closed.has(Hex::of_call(call).call_tag())
    }

    /// Whether a hook told other arguments of a call that is known than these.
    pub fn is_told_otherwise(&self, call: &CallKey, arguments: CallDigest) -> bool {
        let open = self.open_call(call).map(OpenCall::told);
        let told = open.or_else(|| self.closed.told(Hex::of_call(call).call_tag()));
        told.is_some_and(|told| told != 0 && told != Hex::from(arguments).beginning())
    }

    pub fn has_forgotten_calls(&self) -> bool {
        self.closed.is_full()
    }

    pub fn given_up_call(&self, call: &CallKey) -> Option<&OpenCall> {
        let call = Some(Hex::of_call(call));
        self.given_up.iter().rev().find(|it| it.call == call)
    }

    /// Whether some event is known to have said what a repository is; it knows of the newest few.
    pub fn has_met(&self, repo: RepoHash) -> bool {
        self.repos.contains(&Hex::of_repo(repo))
    }

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
            && [&self.last_read, &self.last_failure, &self.last_upset, &self.last_mutation]
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
            && self.closed.is_bounded()
            && self.recent.len() <= RECENT_MAX
            && self.resolved.len() <= RESOLVED_MAX
            && self.step.since <= self.through
            && self.step.failures.len() <= StepSoFar::FAILURES_MAX
            && self.step.changed.len() <= StepSoFar::CHANGED_MAX
            && self.step.outputs.len() <= 2 * StepSoFar::OUTPUTS_MAX
            && self.step.refusals.len() <= StepSoFar::REFUSALS_MAX
            && self.missed_is_bounded()
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
