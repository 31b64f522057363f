//! What a fold keeps of executions: ended, open, denied, failing, resolved.

use super::{GroundingRules, Hex};
use crate::event::derived::{Decode, Encode};
use crate::event::tool::{self, Stake};
use crate::event::{ExecutionId, Outcome, Recorded, STOPPED_BY_USER};
use crate::execution::closed::Closed;
use crate::execution::index::{LOOP_MIN, tried_as};
use crate::parse::check::command::CheckKind;
use crate::parse::check::coverage::Coverage;
use crate::parse::check::{CheckRules, Unproven};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Moment {
    pub sequence: u64,
    pub at_ms: u64,
    /// What the clock read then, where the session's time was another.
    pub raw_ms: Option<u64>,
}

impl Moment {
    pub(crate) fn of(recorded: &Recorded) -> Self {
        let envelope = &recorded.event.envelope;
        let (at_ms, raw_ms) = (envelope.at_ms, envelope.told_ms());
        Self { sequence: recorded.sequence.0, at_ms, raw_ms }
    }

    /// How far it lies from a reading of the clock, milliseconds: one reading from the other, since a
    /// session's time stands still where the clock was ahead once. Before or behind: what the clock read
    /// ahead of now is no more recent for that.
    pub fn away_ms(&self, now_ms: u64) -> u64 {
        now_ms.abs_diff(self.raw_ms.unwrap_or(self.at_ms))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct GroundingEntry {
    /// The `142` of `#142`; `None` where its tool is undeclared.
    pub ordinal: Option<u64>,
    pub execution: Hex,
    /// Of the closing event.
    pub moment: Moment,
    pub tool: String,
    pub outcome: Outcome,
    /// What its caller was told, where a check says otherwise.
    pub told: Option<Outcome>,
    pub target: Option<String>,
    /// Its first diagnostic in one line, else its error.
    pub error: Option<String>,
    /// What makes two calls ones on the same target; zeros where its start was not seen.
    pub key: Hex,
    pub mutation: bool,
    pub check: CheckKind,
    /// Of a check that ended well and bears nothing out: why.
    pub unproven: Option<Unproven>,
    /// It failed, which only answers what it asked: `grep` found nothing.
    pub is_answer: bool,
}

impl GroundingEntry {
    /// Whether its user stopped it: how it would have ended nobody knows.
    pub fn was_stopped(&self) -> bool {
        self.error.as_deref() == Some(STOPPED_BY_USER)
    }

    pub fn id(&self) -> ExecutionId {
        self.execution.execution()
    }

    pub fn name(&self) -> String {
        named(self.ordinal, self.moment.sequence)
    }
}

/// `#142`, or `@4711` where it has no ordinal.
pub fn named(ordinal: Option<u64>, sequence: u64) -> String {
    ordinal.map_or_else(|| format!("@{sequence}"), |ordinal| format!("#{ordinal}"))
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct OpenCall {
    pub execution: Hex,
    pub call: Option<Hex>,
    pub tool: String,
    pub target: Option<String>,
    /// What makes two calls ones on the same target.
    pub key: Hex,
    pub arguments: Hex,
    pub is_hooked: bool,
    pub started: Moment,
    pub mutation: bool,
    pub check: CheckKind,
    /// A code of 1 answers what it asks.
    pub asks: bool,
    /// Where a code of 1 is no failure: it surely changes files all the same.
    pub edits: bool,
    /// It surely changes files behind its last check.
    pub edits_last: bool,
    /// What may be lost where it fails, and of what changes no file what it is about: paths, addresses, verbs.
    pub stake: Stake,
    pub subjects: Vec<String>,
    /// It asks whether files are there.
    pub asks_for_files: bool,
    /// Of a check.
    pub command: Option<String>,
    /// Where a check runs.
    pub cwd: Option<String>,
    /// Files it names; of many, the first few.
    pub paths: Vec<String>,
}

impl OpenCall {
    pub fn id(&self) -> ExecutionId {
        self.execution.execution()
    }

    /// The beginning of what a hook told its arguments to be; 0 where none told.
    pub(crate) fn told(&self) -> u32 {
        if self.is_hooked { self.arguments.beginning() } else { 0 }
    }
}

/// A check that goes on in the background, by the agent's id of it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct LeftCheck {
    pub id: String,
    pub command: String,
    pub cwd: Option<String>,
    pub started: Moment,
}

/// A call that the gate denied, and that is not known to have run all the same.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct DeniedCall {
    pub call: Hex,
    pub execution: Option<Hex>,
    /// Of the refusal.
    pub sequence: u64,
}

/// A call whose newest run failed, and nothing was changed since.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct FailedCall {
    pub arguments: Hex,
    pub entry: GroundingEntry,
}

/// A failure that no later success of the same tool on the same target has resolved (ruling 10).
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct PendingFailure {
    pub key: Hex,
    pub last: GroundingEntry,
    /// How often it failed since it last succeeded.
    pub failures: u64,
    /// How many of these, the newest, had the newest's diagnostic.
    pub same: u64,
    /// What the newest said, as a digest.
    pub said: Hex,
    /// When the first was, Unix milliseconds.
    pub since_ms: u64,
    /// Ordinals, the oldest first, `None` where one has none; of many, the newest few.
    pub executions: Vec<Option<u64>>,
    /// Files changed since the first, each once; of many, the first few.
    pub edited: Vec<String>,
    /// Successful changes since the first.
    pub edits: u64,
    /// Of a check: what a later one must look at to have shown the newest of them.
    pub need: Option<Coverage>,
}

impl PendingFailure {
    pub const EXECUTIONS_MAX: usize = 8;
    pub const EDITED_MAX: usize = 8;

    pub fn is_of(&self, tool: &str, key: Hex) -> bool {
        tried_as(&self.last.tool) == tried_as(tool) && self.key == key
    }

    pub fn is_loop(&self) -> bool {
        self.same >= LOOP_MIN
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub struct Resolution {
    pub key: Hex,
    pub failed: GroundingEntry,
    pub resolved: GroundingEntry,
    pub edited: Vec<String>,
}

impl Resolution {
    pub fn is_of(&self, tool: &str, key: Hex) -> bool {
        tried_as(&self.failed.tool) == tried_as(tool) && self.key == key
    }
}

impl OpenCall {
    /// What an execution is about whose start was not seen, or is forgotten.
    pub(super) fn unseen(closed: &Closed<'_>, started: Moment, rules: &GroundingRules) -> Self {
        Self {
            execution: closed.execution.into(),
            tool: closed.tool.to_owned(),
            started,
            mutation: tool::is_mutation(closed.tool),
            stake: tool::stake(closed.tool),
            check: rules.check(closed.tool, None, &CheckRules::default()),
            ..Self::default()
        }
    }

    /// What a correction is about: what it corrects.
    pub(super) fn of_corrected(entry: &GroundingEntry) -> Self {
        Self {
            execution: entry.execution,
            tool: entry.tool.clone(),
            target: entry.target.clone(),
            key: entry.key,
            started: entry.moment,
            mutation: entry.mutation,
            stake: tool::stake(&entry.tool),
            check: entry.check,
            command: entry.target.clone().filter(|_| entry.check != CheckKind::None),
            ..Self::default()
        }
    }
}
