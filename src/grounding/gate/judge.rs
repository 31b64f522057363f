//! The gate's verdict on a call: a question, whose answer depends on nothing but what it is asked.

use super::{Door, Proposal, Refusal, Verdict};
use crate::config::PolicyConfig;
use crate::event::target::arguments_digest;
use crate::event::{GateRule, Outcome, tool};
use crate::grounding::fold::{Grounding, GroundingRules, command};

/// What a policy says of shell commands, as a fold wants it.
pub fn rules(policy: &PolicyConfig) -> GroundingRules {
    let (checks, shell_mutations) = (policy.checks.clone(), policy.shell_mutations);
    GroundingRules { checks, shell_mutations }
}

/// Whether a call changes files: what needs a read of the timeline before it.
pub fn is_mutation(policy: &PolicyConfig, tool: &str, arguments: &str) -> bool {
    tool::is_mutation(tool)
        || policy.shell_mutations && rules(policy).is_mutation(tool, command(arguments).as_deref())
}

/// How a check ended of which only what it printed is known; `None` where that does not tell.
pub fn ended(policy: &PolicyConfig, tool: &str, arguments: &str, printed: &str) -> Option<Outcome> {
    rules(policy).ended(tool, command(arguments).as_deref(), printed)
}

/// Judges a call of the session that `grounding` is of.
pub fn judge(
    policy: &PolicyConfig,
    grounding: &Grounding,
    proposal: &Proposal,
    now_ms: u64,
) -> Verdict {
    let is_mutation = is_mutation(policy, &proposal.tool, &proposal.arguments);
    let refused = (is_mutation && !is_grounded(policy, grounding, proposal.door, now_ms))
        .then(|| (GateRule::NoGrounding, Refusal::NO_GROUNDING.to_owned(), None))
        .or_else(|| failure_loop(policy, grounding).filter(|_| is_mutation))
        .or_else(|| repeated(policy, grounding, proposal, now_ms));
    let Some((rule, reason, query)) = refused else { return Verdict::Pass };
    Verdict::Refused(Refusal {
        rule,
        tool: proposal.tool.clone(),
        target: proposal.target().map(|target| target.shown),
        reason,
        required_query: query.unwrap_or_else(|| Refusal::TIMELINE_QUERY.to_owned()),
    })
}

/// A rule, a reason, and what to ask first.
type Why = (GateRule, String, Option<String>);

/// Whether the newest read of the timeline still holds (ruling 6).
fn is_grounded(policy: &PolicyConfig, grounding: &Grounding, door: Door, now_ms: u64) -> bool {
    let Some(read) = grounding.last_read() else { return false };
    let failed_since = || grounding.last_failure().is_some_and(|it| it.sequence > read.sequence);
    read.away_ms(now_ms) <= policy.window_ms || door == Door::Hook && !failed_since()
}

/// A failure loop whose newest failure nobody read of.
fn failure_loop(policy: &PolicyConfig, grounding: &Grounding) -> Option<Why> {
    if !policy.read_failure_loops {
        return None;
    }
    let read = grounding.last_read().map_or(0, |read| read.sequence);
    let unread = |it: &&_| is_unread(it, read);
    let found = grounding.pending().iter().rev().find(unread)?;
    let reason = "You are in a failure loop. Query memory for details before retrying.";
    let query = Refusal::failures_query(&found.last.tool);
    Some((GateRule::FailureLoop, reason.to_owned(), Some(query)))
}

fn is_unread(pending: &crate::grounding::fold::PendingFailure, read: u64) -> bool {
    pending.is_loop() && pending.last.moment.sequence > read
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
    let arguments = crate::event::Json::canonical("arguments", &proposal.arguments);
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
