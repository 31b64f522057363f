//! The gate's verdict on a call: a question, whose answer depends on nothing but what it is asked.

use serde::Serialize;

use super::{Refusal, RefusedWhy};
use crate::config::PolicyConfig;
use crate::event::target::{Target, arguments_digest};
use crate::event::{CallKey, GateMode, GateRule, Json, Outcome, SessionId, tool, wire};
use crate::grounding::fold::{Grounding, GroundingRules, PendingFailure, command};
use crate::parse::check::{CheckRules, Spoken};

/// How a check ended of which only what it printed is known; `None` where that does not tell.
pub fn ended(own: &CheckRules, tool: &str, arguments: &str, printed: &str) -> Option<Outcome> {
    GroundingRules::default().ended(tool, command(arguments).as_deref(), own, printed)
}

/// Why a call is refused; `None` where it passes.
pub fn judge(
    policy: &PolicyConfig,
    grounding: &Grounding,
    proposal: &Proposal,
    now_ms: u64,
) -> Option<Refusal> {
    let is_mutation = proposal.is_mutation();
    let refused = (is_mutation && !is_grounded(policy, grounding, proposal.door, now_ms))
        .then(|| (GateRule::NoGrounding, Refusal::NO_GROUNDING.to_owned(), None))
        .or_else(|| failure_loop(policy, grounding).filter(|_| is_mutation))
        .or_else(|| repeated(policy, grounding, proposal, now_ms));
    let (rule, reason, query) = refused?;
    Some(Refusal {
        rule,
        tool: proposal.tool.clone(),
        target: proposal.target().map(|target| target.shown),
        reason,
        required_query: query.unwrap_or_else(|| Refusal::TIMELINE_QUERY.to_owned()),
        spoken: Spoken::default(),
        missed: None,
    })
}

/// A rule, a reason, and what to ask first.
type Why = (GateRule, String, Option<String>);

/// Whether the newest read of the timeline still holds (ruling 6).
fn is_grounded(policy: &PolicyConfig, grounding: &Grounding, door: Door, now_ms: u64) -> bool {
    let Some(read) = grounding.last_read else { return false };
    let failed_since = || grounding.last_failure.is_some_and(|it| it.sequence > read.sequence);
    read.away_ms(now_ms) <= policy.window_ms || door == Door::Hook && !failed_since()
}

/// A failure loop whose newest failure nobody read of.
fn failure_loop(policy: &PolicyConfig, grounding: &Grounding) -> Option<Why> {
    if !policy.read_failure_loops {
        return None;
    }
    let read = grounding.last_read.map_or(0, |read| read.sequence);
    let unread = |it: &&PendingFailure| it.is_loop() && it.last.moment.sequence > read;
    let found = grounding.pending.iter().rev().find(unread)?;
    let reason = "You are in a failure loop. Query memory for details before retrying.";
    let query = Refusal::failures_query(&found.last.tool);
    Some((GateRule::FailureLoop, reason.to_owned(), Some(query)))
}

/// The same call failed a moment ago, and nothing was changed since.
fn repeated(
    policy: &PolicyConfig,
    grounding: &Grounding,
    proposal: &Proposal,
    now_ms: u64,
) -> Option<Why> {
    let within_ms = policy.refuse_repeated_within_s.saturating_mul(1_000);
    if within_ms == 0 {
        return None;
    }
    // What the journal has is canonical: what is asked may not be.
    let arguments = Json::canonical("arguments", &proposal.arguments);
    let arguments = arguments.map_or_else(|_| proposal.arguments.clone(), |json| json.0);
    let failed = grounding.failed_call(arguments_digest(&arguments))?;
    let entry = Some(&failed.entry).filter(|it| it.tool == proposal.tool)?;
    let age_ms = entry.moment.away_ms(now_ms);
    if age_ms > within_ms {
        return None;
    }
    let why = entry.error.as_deref().map(|error| format!(": {error}")).unwrap_or_default();
    let reason = format!("The same call failed {} s ago ({}){why}", age_ms / 1_000, entry.name());
    let query = Refusal::failures_query(&proposal.tool);
    Some((GateRule::KnownAntiPattern, reason, Some(query)))
}

/// Which way a call came to the gate: how long a read of the timeline holds depends on it (ruling 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// An agent's hook: a read holds until the session's next failure, or the window if longer.
    Hook,
    /// The library, and the tool layer: a read holds for the window.
    Library,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The contract's name of the tool.
    pub tool: String,
    /// The agent's own name of it, where it differs.
    pub native_tool: Option<String>,
    pub arguments: String,
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    /// Whether it surely changes files of the project, whatever its tool is.
    pub edits: bool,
    pub session: SessionId,
    pub call: Option<CallKey>,
    pub door: Door,
}

impl Proposal {
    pub fn new(tool: &str, arguments: &str, session: SessionId, door: Door) -> Self {
        Self {
            tool: tool.to_owned(),
            native_tool: None,
            arguments: arguments.to_owned(),
            paths: Vec::new(),
            symbols: Vec::new(),
            edits: false,
            session,
            call: None,
            door,
        }
    }

    /// Whether it changes files: what needs a read of the timeline before it.
    pub fn is_mutation(&self) -> bool {
        self.edits || tool::is_mutation(&self.tool)
    }

    pub fn target(&self) -> Option<Target> {
        Target::of(&self.arguments, &self.paths, &self.symbols)
    }
}

/// The verdict on a call, as JSON has it.
#[derive(Debug, Serialize)]
pub struct JudgedCall<'c> {
    #[serde(serialize_with = "wire::text")]
    session: SessionId,
    /// `pass` or `refused`.
    verdict: &'static str,
    /// Only `enforce` keeps a call from running.
    mode: GateMode,
    tool: &'c str,
    target: Option<String>,
    #[serde(flatten)]
    why: RefusedWhy<'c>,
}

impl<'c> JudgedCall<'c> {
    pub fn of(proposal: &'c Proposal, refusal: Option<&'c Refusal>, mode: GateMode) -> Self {
        Self {
            session: proposal.session,
            verdict: if refusal.is_some() { "refused" } else { "pass" },
            mode,
            tool: &proposal.tool,
            target: proposal.target().map(|target| target.shown),
            why: refusal.into(),
        }
    }
}
