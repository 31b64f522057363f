//! What the fold tells.

use super::{
    DeniedCall, FailedCall, Grounding, GroundingEntry, Hex, Moment, OpenCall, PendingFailure,
    Resolution, StepSoFar,
};
use crate::event::target::CallDigest;
use crate::event::{CallKey, RepoHash, Sequence, SessionId};

impl Grounding {
    pub fn session(&self) -> SessionId {
        self.session.session()
    }

    /// The last event that was folded.
    pub fn through(&self) -> Sequence {
        Sequence(self.through)
    }

    /// The newest time of the session's events, Unix milliseconds; 0 where it has none.
    pub fn last_ms(&self) -> u64 {
        self.last_ms
    }

    /// When the timeline was last put before its agent.
    pub fn last_read(&self) -> Option<Moment> {
        self.last_read
    }

    pub fn last_failure(&self) -> Option<Moment> {
        self.last_failure
    }

    /// When a file was last changed.
    pub fn last_mutation(&self) -> Option<Moment> {
        self.last_mutation
    }

    /// The newest check that passed.
    pub fn last_check(&self) -> Option<&GroundingEntry> {
        self.last_check.as_ref()
    }

    /// The newest success's ordinal.
    pub fn last_ok_ordinal(&self) -> Option<u64> {
        self.last_ok
    }

    /// The newest failure's ordinal.
    pub fn last_failed_ordinal(&self) -> Option<u64> {
        self.last_failed
    }

    /// Executions that ended; one that was corrected counts by its correction.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    #[cfg(test)]
    pub fn failed(&self) -> u64 {
        self.failed
    }

    #[cfg(test)]
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Changes since the newest check that passed.
    pub fn mutations_since_check(&self) -> u64 {
        self.mutations_since_check
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

    /// Whether a tool is on the contract's list, as far as this was told.
    pub fn is_declared(&self, tool: &str) -> bool {
        self.ordinals.in_force(tool)
    }

    /// The newest executions, the oldest first.
    pub fn recent(&self) -> impl DoubleEndedIterator<Item = &GroundingEntry> {
        self.recent.iter()
    }

    /// Failures that nothing resolved, the newest last.
    pub fn pending(&self) -> &[PendingFailure] {
        &self.pending
    }

    /// The failure that waits for a success of this tool on this target.
    pub fn pending_of(&self, tool: &str, key: CallDigest) -> Option<&PendingFailure> {
        let key = Hex::from(key);
        self.pending.iter().find(|it| it.is_of(tool, key))
    }

    /// What resolved a failure of this tool on this target before.
    pub fn resolution_of(&self, tool: &str, key: CallDigest) -> Option<&Resolution> {
        let key = Hex::from(key);
        self.resolved.iter().rev().find(|it| it.is_of(tool, key))
    }

    /// The newest run with these arguments, where it failed and nothing was changed since.
    pub fn failed_call(&self, arguments: CallDigest) -> Option<&FailedCall> {
        let arguments = Hex::from(arguments);
        self.failed_calls.iter().find(|it| it.arguments == arguments)
    }

    /// The execution of a call that is under way.
    pub fn open_call(&self, call: &CallKey) -> Option<&OpenCall> {
        let call = Some(Hex::of_call(call));
        self.open.iter().rev().find(|it| it.call == call)
    }

    /// Calls under way, the oldest first.
    pub fn open_calls(&self) -> impl Iterator<Item = &OpenCall> {
        self.open.iter()
    }

    /// The refusal of a call that the gate denied and that is not known to have run.
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

    /// Whether calls may have ended that are no longer known.
    pub fn has_forgotten_calls(&self) -> bool {
        self.closed.is_full()
    }

    /// The execution of a call that was recorded as interrupted, and that no result corrected.
    pub fn given_up_call(&self, call: &CallKey) -> Option<&OpenCall> {
        let call = Some(Hex::of_call(call));
        self.given_up.iter().rev().find(|it| it.call == call)
    }

    /// Whether some event is known to have said what a repository is; it knows of the newest few.
    pub fn has_met(&self, repo: RepoHash) -> bool {
        self.repos.contains(&Hex::of_repo(repo))
    }

    /// What happened since the session's step began.
    pub fn step(&self) -> &StepSoFar {
        &self.step
    }
}
