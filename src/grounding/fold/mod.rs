//! What a gate knows of one session: a small, bounded fold of its events (spec 001).
//!
//! Folded from the whole journal, since ordinals count every session's executions; of other
//! sessions nothing else is kept. It is the same however it was caught up, and small enough to be
//! read and written with every call of an agent's hook. It tells what the index tells of the session
//! (held by `command/catch_up/tests/agreed.rs`), as far as what it keeps goes: 16 executions, 64
//! pending failures. It goes by the order of the journal: a failure or success that is corrected
//! (annals corrects only what did not run to its end) brings nothing back that it had resolved.

mod answers;
mod bounds;
mod calls;
mod closings;
mod ended_calls;
mod entry;
mod hex;
mod moment;
mod ordinals;
mod passed;
mod pending;
mod rules;
mod step;
mod step_claim;
mod step_output;
mod step_refusal;
#[cfg(test)]
mod tests;
mod unproven;

pub use crate::parse::shell::CheckKind;
pub use calls::{DeniedCall, FailedCall, OpenCall};
pub use entry::GroundingEntry;
pub use hex::Hex;
pub use moment::Moment;
pub use ordinals::{Ordinals, Row, RowState, session_tag, tag};
pub use pending::{PendingFailure, Resolution};
pub use rules::GroundingRules;
pub use step::StepSoFar;
pub use step_claim::StepClaim;
pub use step_output::StepOutput;
pub use step_refusal::StepRefusal;
pub use unproven::Unproven;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::event::target::{Target, arguments_digest, call_target};
use crate::event::{
    Body, ExecutionStarted, GateBypassed, GateMode, GateRefused, Recorded, Sequence, SessionId,
    Source,
};
use crate::parse::diagnostic::cut;
use ended_calls::EndedCalls;

/// What a gate knows of one session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grounding {
    session: Hex,
    /// The last event that was folded.
    through: u64,
    /// The newest time of the session's events, Unix milliseconds.
    last_ms: u64,
    last_read: Option<Moment>,
    last_failure: Option<Moment>,
    last_mutation: Option<Moment>,
    /// The newest check that passed.
    last_check: Option<GroundingEntry>,
    /// Ordinals.
    last_ok: Option<u64>,
    last_failed: Option<u64>,
    executions: u64,
    failed: u64,
    refused: u64,
    mutations: u64,
    mutations_since_check: u64,
    steps: u64,
    /// Steps that ended without a mark where they began.
    unmarked_steps: u64,
    recent: VecDeque<GroundingEntry>,
    pending: Vec<PendingFailure>,
    resolved: VecDeque<Resolution>,
    failed_calls: VecDeque<FailedCall>,
    open: VecDeque<OpenCall>,
    denied: VecDeque<DeniedCall>,
    closed: EndedCalls,
    /// Calls that were given up, whose results may still come.
    given_up: VecDeque<OpenCall>,
    step: StepSoFar,
    /// Repositories that some event said what they are, the newest last: the first half of each hash.
    repos: VecDeque<Hex>,
    ordinals: Ordinals,
}

/// The newest executions that are kept.
const RECENT_MAX: usize = 16;
/// Pending failures, open, given-up, denied and failed calls that are kept, of each.
const LIST_MAX: usize = 64;
/// Resolved failures that are kept.
const RESOLVED_MAX: usize = 16;
/// Repositories that are kept.
const REPOS_MAX: usize = 4;
/// Bytes of a target and of an error that are kept.
const TEXT_BYTES_MAX: usize = 300;
/// Of one call, the paths that are kept.
const PATHS_MAX: usize = 8;

impl Grounding {
    /// Of a session that nothing is known of, in an empty journal.
    pub fn new(session: SessionId) -> Self {
        Self::seeded(session, Sequence(0), Ordinals::default())
    }

    /// Of a session without an event up to `through`, where that many ordinals were given.
    pub fn seeded(session: SessionId, through: Sequence, ordinals: Ordinals) -> Self {
        Self {
            session: session.into(),
            through: through.0,
            last_ms: 0,
            last_read: None,
            last_failure: None,
            last_mutation: None,
            last_check: None,
            last_ok: None,
            last_failed: None,
            executions: 0,
            failed: 0,
            refused: 0,
            mutations: 0,
            mutations_since_check: 0,
            steps: 0,
            unmarked_steps: 0,
            recent: VecDeque::new(),
            pending: Vec::new(),
            resolved: VecDeque::new(),
            failed_calls: VecDeque::new(),
            open: VecDeque::new(),
            denied: VecDeque::new(),
            closed: EndedCalls::default(),
            given_up: VecDeque::new(),
            step: StepSoFar::default(),
            repos: VecDeque::new(),
            ordinals,
        }
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
                self.step =
                    StepSoFar { began: Some(moment.sequence), title, ..StepSoFar::default() };
            }
            Body::StepEnded(_) if mine => {
                let unmarked = u64::from(self.step.began.is_none());
                self.unmarked_steps = self.unmarked_steps.saturating_add(unmarked);
                self.step = StepSoFar::default();
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

    fn begin(
        &mut self,
        started: &ExecutionStarted,
        is_hooked: bool,
        moment: Moment,
        rules: &GroundingRules,
    ) {
        let target = Target::of(&started.arguments.0, &started.paths, &started.symbols);
        let arguments = arguments_digest(&started.arguments.0);
        let command = command(&started.arguments.0);
        let open = OpenCall {
            execution: started.execution.into(),
            call: started.call.as_ref().map(Hex::of_call),
            tool: started.tool.clone(),
            key: call_target(target.as_ref(), arguments).into(),
            target: target.map(|target| cut(&target.shown, TEXT_BYTES_MAX).to_owned()),
            arguments: arguments.into(),
            is_hooked,
            started: moment,
            mutation: rules.is_mutation(&started.tool, command.as_deref()),
            check: rules.check(&started.tool, command.as_deref()),
            paths: paths(started.paths.iter()),
        };
        push(&mut self.open, open, LIST_MAX);
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

/// The command line in a call's arguments.
pub fn command(arguments: &str) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct About {
        command: Told,
    }
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Told {
        Text(String),
        Words(Vec<String>),
    }
    // Arguments of any other shape have no command.
    match serde_json::from_str::<About>(arguments).ok()?.command {
        Told::Text(text) => Some(text),
        Told::Words(words) => {
            let quoted = |word: &String| format!("'{}'", word.replace('\'', "'\\''"));
            Some(words.iter().map(quoted).collect::<Vec<_>>().join(" "))
        }
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
