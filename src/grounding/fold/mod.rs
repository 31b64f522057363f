//! What a gate knows of one session: a small, bounded fold of its events (spec 001).
//!
//! Folded from the whole journal, since ordinals count every session's executions; of other
//! sessions nothing else is kept. It is the same however it was caught up, and small enough to be
//! read and written with every call of an agent's hook. It tells what the index tells of the session
//! (held by `command/catch_up/tests/agreed.rs`), as far as what it keeps goes: 16 executions, 64
//! pending failures. It goes by the order of the journal: a failure or success that is corrected
//! (annals corrects only what did not run to its end) brings nothing back that it had resolved.

mod answers;
mod begins;
mod changes;
mod check;
mod closings;
mod digests;
mod entry;
mod missed;
mod ordinals;
mod parallel;
mod printed;
pub mod step;
#[cfg(test)]
mod tests;
mod title;

use std::collections::VecDeque;

use crate::event::derived::{Decode, Encode};
use crate::event::{
    Body, CheckList, GateBypassed, GateMode, GateRefused, Recorded, Sequence, SessionId, Source,
};
use crate::parse::check::diagnostic::cut;
use digests::EndedCalls;

pub use crate::event::target::command;
pub use crate::parse::check::Unproven;
pub use crate::parse::check::command::CheckKind;
use crate::parse::check::{CheckRules, Shown};
pub use check::GroundingRules;
pub use digests::Hex;
pub use entry::{
    DeniedCall, FailedCall, GroundingEntry, LeftCheck, Moment, OpenCall, PendingFailure,
    Resolution, named,
};
pub use missed::Missed;
pub use ordinals::{Ordinals, Row, RowState, session_tag, tag};
pub use step::{StepClaim, StepOutput, StepSoFar, step_ended};
pub use title::is_answer;

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Grounding {
    session: Hex,
    through: u64,
    /// The newest time of the session's events, Unix milliseconds; 0 where it has none.
    pub last_ms: u64,
    /// When the timeline was last put before its agent.
    pub last_read: Option<Moment>,
    pub last_failure: Option<Moment>,
    /// The last of those that checked something or may have changed files.
    pub last_upset: Option<Moment>,
    pub last_mutation: Option<Moment>,
    pub last_check: Option<GroundingEntry>,
    /// What the checks showed that passed since the last change.
    pub shown: Shown,
    /// The kinds of the checks that ended since, nobody knows how.
    unclear: u8,
    /// The ordinals of the newest success and the newest failure.
    pub last_ok: Option<u64>,
    pub last_failed: Option<u64>,
    /// Executions that ended; one that was corrected counts by its correction.
    pub executions: u64,
    pub failed: u64,
    pub refused: u64,
    mutations: u64,
    pub mutations_since_check: u64,
    steps: u64,
    /// Steps that ended without a mark where they began.
    unmarked_steps: u64,
    /// The newest executions, the oldest first.
    pub recent: VecDeque<GroundingEntry>,
    /// Failures that nothing resolved, the newest last.
    pub pending: Vec<PendingFailure>,
    resolved: VecDeque<Resolution>,
    failed_calls: VecDeque<FailedCall>,
    /// Calls under way, the oldest first.
    pub open: VecDeque<OpenCall>,
    denied: VecDeque<DeniedCall>,
    closed: EndedCalls,
    /// Calls that were given up, whose results may still come.
    given_up: VecDeque<OpenCall>,
    /// Checks that were left to go on in the background, the newest last.
    left: VecDeque<LeftCheck>,
    /// What failed and changed nothing, and has not gone well since.
    missed: VecDeque<Missed>,
    pub step: StepSoFar,
    /// The title of the last one that was called by more than an answer.
    pub about: Option<String>,
    /// Repositories that some event said what they are, the newest last: the first half of each hash.
    repos: VecDeque<Hex>,
    ordinals: Ordinals,
    /// The project's root, as its journal says; empty where it does not.
    root: String,
    /// The project's own checks in force.
    own: CheckRules,
    /// The journal declares checks, and is a stranger's.
    is_own_ignored: bool,
}

const RECENT_MAX: usize = 16;
/// Pending failures, open, given-up, denied and failed calls that are kept, of each.
const LIST_MAX: usize = 64;
const RESOLVED_MAX: usize = 16;
const REPOS_MAX: usize = 4;
/// Bytes of a target and of an error that are kept.
const TEXT_BYTES_MAX: usize = 300;
const PATHS_MAX: usize = 8;

impl Grounding {
    /// Of a session that nothing is known of, in an empty journal.
    pub fn new(session: SessionId) -> Self {
        Self::seeded(session, Sequence(0), Ordinals::default())
    }

    /// Of a session without an event up to `through`, where that many ordinals were given.
    pub fn seeded(session: SessionId, through: Sequence, ordinals: Ordinals) -> Self {
        Self { session: session.into(), through: through.0, ordinals, ..Self::default() }
    }

    /// All but what it remembers of other sessions' executions.
    #[cfg(test)]
    pub fn without_others(self) -> Self {
        Self { ordinals: self.ordinals.counted(), ..self }
    }

    /// The root that the journal was made in.
    pub(crate) fn begin_in(&mut self, root: String) {
        self.root = root;
    }

    /// The project's own checks that were declared, as far as they count here.
    pub fn own(&self) -> &CheckRules {
        &self.own
    }

    /// Whether its checks were taken, or left out, by this standing of the journal's.
    pub(crate) fn is_declared_by(&self, is_foreign: impl FnOnce() -> bool) -> bool {
        let has_any = *self.own.list() != CheckList::default() || self.is_own_ignored;
        !has_any || is_foreign() == self.is_own_ignored
    }

    pub(crate) fn declare(&mut self, list: &CheckList, rules: &GroundingRules) {
        self.is_own_ignored = rules.is_foreign;
        let own = if rules.is_foreign { CheckList::default() } else { list.clone() };
        self.own = own.into();
    }

    /// Takes the journal's next event; one that was taken already changes nothing.
    pub fn apply(&mut self, recorded: &Recorded, rules: &GroundingRules) {
        if recorded.sequence.0 <= self.through {
            return;
        }
        self.through = recorded.sequence.0;
        let envelope = &recorded.event.envelope;
        let mine = envelope.session == Some(self.session());
        let moment = Moment::of(recorded);
        if mine {
            self.last_ms = self.last_ms.max(envelope.at_ms);
        }
        match &recorded.event.body {
            Body::ToolsDeclared(declared) => self.ordinals.declare(declared),
            Body::ChecksDeclared(declared) => self.declare(&declared.list, rules),
            Body::JournalCreated(created) => self.root.clone_from(&created.root),
            Body::ExecutionStarted(started) => {
                let call = started.call.as_ref();
                let new = self.ordinals.start(started.execution, call, envelope.session);
                if mine && new {
                    let is_hooked = envelope.source == Source::Hook;
                    self.begin(started, is_hooked, moment, rules);
                }
            }
            Body::TimelineQueried(_) if mine => self.last_read = Some(moment),
            Body::GateRefused(refused) if mine => {
                self.step.deny(refused, moment.sequence);
                self.deny(refused, moment);
            }
            Body::GateBypassed(bypassed) if mine => self.bypass(bypassed),
            Body::StepBegun(begun) if mine => {
                self.steps = self.steps.saturating_add(1);
                let title = begun.title.as_deref().map(|title| one_line(title).into_owned());
                let began = Some(moment.sequence);
                if let Some(title) = title.as_ref().filter(|it| !is_answer(it)) {
                    self.about = Some(title.clone());
                }
                self.step = StepSoFar { began, title, ..StepSoFar::after(moment.sequence) };
            }
            Body::StepEnded(_) if mine => {
                let unmarked = u64::from(self.step.began.is_none());
                self.unmarked_steps = self.unmarked_steps.saturating_add(unmarked);
                self.step = StepSoFar::after(moment.sequence);
            }
            // Of another session it may lie before where this one's fold begins.
            Body::RepoIdentified(met) if mine => {
                let repo = Hex::of_repo(met.repo);
                self.repos.retain(|known| *known != repo);
                push(&mut self.repos, repo, REPOS_MAX);
            }
            Body::SuccessClaimed(claimed) if mine => self.step.claimed(claimed),
            // The last word stands.
            Body::OutcomeReported(_) if mine => self.step.claim = None,
            _ => self.close(recorded, rules),
        }
    }

    fn deny(&mut self, refused: &GateRefused, moment: Moment) {
        if refused.mode != GateMode::Enforce {
            return;
        }
        if let Some(call) = &refused.call {
            let (call, execution) = (Hex::of_call(call), refused.execution.map(Hex::from));
            self.denied.retain(|denied| denied.call != call);
            let denied = DeniedCall { call, execution, sequence: moment.sequence };
            push(&mut self.denied, denied, LIST_MAX);
        }
    }

    fn bypass(&mut self, bypassed: &GateBypassed) {
        let call = bypassed.call.as_ref().map(Hex::of_call);
        let execution = Some(Hex::from(bypassed.execution));
        self.denied.retain(|denied| Some(denied.call) != call && denied.execution != execution);
    }
}

fn paths<'a>(paths: impl Iterator<Item = &'a String>) -> Vec<String> {
    paths.take(PATHS_MAX).map(|path| cut(path, TEXT_BYTES_MAX).to_owned()).collect()
}

fn push<T>(list: &mut VecDeque<T>, item: T, len_max: usize) {
    list.push_back(item);
    if list.len() > len_max {
        list.pop_front();
    }
}

/// The beginning of a text, its blanks and line ends each one space.
fn one_line(text: &str) -> std::borrow::Cow<'_, str> {
    let begin = cut(text, TEXT_BYTES_MAX);
    if !begin.contains(|c: char| c.is_control()) {
        return begin.into();
    }
    begin.split_whitespace().collect::<Vec<_>>().join(" ").into()
}
