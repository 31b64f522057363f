//! Debug memory, for people.

use super::Result;
use crate::cli::memory::print::{heading, millis};
use crate::cli::rows::{self, short};
use crate::cli::{Context, Exit, counted};
use crate::debug::CloseDone;
use crate::debug::query::{DebugSession, FailureGroup, FixTemplate, SCORE_MAX, Similar, groups};
use crate::event::{
    DebugDocument, DebugExecution, DebugStatus, Learnings, TestFailure, TestResults,
};
use crate::output::stream::Colour;
use crate::output::wire::OfJournal;
use crate::output::{escape, time};

pub fn sessions(
    found: Vec<OfJournal<DebugSession>>,
    none: &str,
    context: &mut Context,
) -> Result<Exit> {
    let cells = |it: DebugSession, context: &Context| {
        let colour = match it.status {
            DebugStatus::Escalated => Some(Colour::Red),
            DebugStatus::InProgress => Some(Colour::Yellow),
            DebugStatus::Passed | DebugStatus::Failed => None,
        };
        let (id, status) = (it.id.to_string(), it.status.as_str().to_owned());
        let worked_on = at(it.updated_ms, context);
        (colour, [id, status, it.attempts.to_string(), worked_on, it.file_path])
    };
    let titles = ["session", "status", ">attempts", "worked on", "file"];
    rows::listed(found, &titles, none, cells, context)
}

pub fn similar(found: &[OfJournal<Similar>], context: &mut Context) -> Result<()> {
    for OfJournal { journal, row: it } in found {
        let journal = journal.as_ref().map(|it| format!("{it}: ")).unwrap_or_default();
        let DebugSession { id, file_path, status, updated_ms, .. } = &it.session;
        let (at, status) = (at(*updated_ms, context), status.as_str());
        heading(&escape::line(&format!("{journal}{file_path} ({id}) {at}, {status}")), context)?;
        let because = it.likeness.reasons().join(", ");
        line(&format!("  {}/{SCORE_MAX}: {because}", it.score()), context)?;
        line(&format!("  {}", failure(&it.failure)), context)?;
        let Some(resolution) = &it.resolution else {
            line("  nothing has helped yet", context)?;
            continue;
        };
        if let Some(analysis) = &resolution.analysis {
            line(&format!("  cause: {}", short(&analysis.root_cause)), context)?;
        }
        if let Some(fix) = &resolution.fix {
            let much = fix.diff_summary.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
            line(&format!("  helped: {}{much}", short(&fix.description)), context)?;
        }
    }
    Ok(())
}

/// A session's document. `patterns` are what was learnt in it, with their trials.
pub fn document(
    it: &DebugDocument,
    patterns: &[FixTemplate],
    full: bool,
    context: &mut Context,
) -> Result<()> {
    let status = it.status.map_or("", DebugStatus::as_str);
    heading(&escape::line(&format!("{}: {status}", it.file_path)), context)?;
    line(&format!("session   {}", it.session_id), context)?;
    let metadata = it.metadata.clone().unwrap_or_default();
    let iteration = metadata.ralph_iteration.map(|it| it.to_string());
    for (what, text) in
        [("agent", metadata.agent), ("task", metadata.task_id), ("iteration", iteration)]
    {
        if let Some(text) = text {
            line(&format!("{what:<9} {text}"), context)?;
        }
    }
    let groups = groups(it);
    for execution in &it.executions {
        context.output.blank()?;
        attempt(execution, &groups, full, context)?;
    }
    if let Some(learnings) = &it.learnings {
        context.output.blank()?;
        learnt(learnings, patterns, context)?;
    }
    Ok(())
}

fn attempt(
    it: &DebugExecution,
    groups: &[(FailureGroup, &TestFailure)],
    full: bool,
    context: &mut Context,
) -> Result<()> {
    let at = local(&it.timestamp, context);
    let title = format!("Attempt {}  {at}  {}", it.attempt, results(&it.test_results));
    let colour = if it.test_results.is_passed() { Colour::Green } else { Colour::Red };
    context.output.coloured(colour, escape::line(&title))?;
    for (group, one) in groups.iter().filter(|(group, _)| group.attempt == it.attempt) {
        line(&format!("  {}", failure(one)), context)?;
        if let Some(others) = others(group) {
            line(&format!("    {others}"), context)?;
        }
        if let (Some(expected), Some(actual)) = (&one.expected, &one.actual) {
            line(&format!("    expected {}, got {}", short(expected), short(actual)), context)?;
        }
        if full && let Some(trace) = &one.stack_trace {
            text(trace, context)?;
        }
    }
    if let Some(analysis) = &it.analysis {
        let category = analysis.root_cause_category.map(|it| format!(" [{}]", it.as_str()));
        let category = category.unwrap_or_default();
        line(&format!("  cause: {}{category}", analysis.root_cause), context)?;
        line(&format!("  strategy: {}", analysis.fix_strategy), context)?;
        for one in analysis.related_failures.iter().flatten().take(RELATED_TOLD) {
            line(&format!("  related: {one}"), context)?;
        }
    }
    if let Some(fix) = &it.fix_applied {
        let told = fix.verification.map(|it| format!(", {}", it.as_str())).unwrap_or_default();
        let much = fix.diff_summary.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        line(&format!("  fix{told}: {}{much}", fix.description), context)?;
        if full && let Some(diff) = &fix.diff {
            text(diff, context)?;
        }
    }
    Ok(())
}

fn learnt(it: &Learnings, patterns: &[FixTemplate], context: &mut Context) -> Result<()> {
    heading("Learnt", context)?;
    for one in it.patterns_identified.iter().flatten() {
        let tally = patterns.iter().find(|it| it.pattern == one.pattern).and_then(|it| it.tally);
        let worked = match (tally, one.effectiveness) {
            (Some((worked, trials)), _) => format!(", worked {worked} of {trials}"),
            (None, Some(share)) => format!(", worked {} %", percent(share * 100.0)),
            (None, None) => String::new(),
        };
        let category = one.category.as_ref().map(|it| format!(" [{it}]")).unwrap_or_default();
        let seen = one.frequency;
        line(&format!("  {}{category}, seen {seen}{worked}", one.pattern), context)?;
        if let Some(template) = &one.fix_template {
            line(&format!("    {template}"), context)?;
        }
    }
    for one in it.recurring_failures.iter().flatten() {
        let test = one.test.as_deref().unwrap_or("a test");
        let times = one.occurrences.unwrap_or_default();
        let end = one.resolution.map(|it| format!(", {}", it.as_str())).unwrap_or_default();
        let notes = one.notes.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
        line(&format!("  {test} failed {times} times{end}{notes}"), context)?;
    }
    for one in it.code_quality_issues.iter().flatten() {
        let severity = one.severity.map(|it| format!("{}: ", it.as_str())).unwrap_or_default();
        let issue = one.issue.as_deref().unwrap_or_default();
        let at = one.location.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
        let done = if one.addressed == Some(true) { ", addressed" } else { "" };
        line(&format!("  {severity}{issue}{at}{done}"), context)?;
    }
    for one in it.recommendations.iter().flatten() {
        line(&format!("  {one}"), context)?;
    }
    Ok(())
}

/// What tests came to, on one line.
pub fn results(it: &TestResults) -> String {
    let mut text = format!("{} of {} passed", it.passed, counted(it.total, "test"));
    for (count, word) in
        [(Some(it.failed), "failed"), (it.errors, "in error"), (it.skipped, "skipped")]
    {
        if let Some(count) = count.filter(|count| *count > 0) {
            text.push_str(&format!(", {count} {word}"));
        }
    }
    if let Some(ms) = it.duration_ms {
        text.push_str(&format!(", {}", time::duration(ms)));
    }
    if let Some(share) = it.coverage_percent {
        text.push_str(&format!(", {} % covered", percent(share)));
    }
    text
}

pub fn failure(it: &TestFailure) -> String {
    let at = it.source_location.as_ref().and_then(|at| {
        let line = at.line.map(|line| format!(":{line}")).unwrap_or_default();
        at.file.as_ref().map(|file| format!(" at {file}{line}"))
    });
    let (kind, at) = (it.error_type.as_str(), at.unwrap_or_default());
    format!("{}: {kind}: {}{at}", it.test_name, short(&it.error_message))
}

/// The tests of a group beside the first.
pub fn others(group: &FailureGroup) -> Option<String> {
    let more = group.count.checked_sub(1).filter(|it| *it > 0)?;
    let named: Vec<&str> =
        group.tests.iter().skip(1).take(OTHERS_NAMED).map(String::as_str).collect();
    let rest = if group.tests.len() > OTHERS_NAMED + 1 { ", …" } else { "" };
    Some(format!("and {more} more of the same cause: {}{rest}", named.join(", ")))
}

/// With one decimal where there is one.
pub fn percent(share: f64) -> String {
    let text = format!("{share:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// A time in the viewer's zone. Where the moment has no name in UTC there is none.
pub fn at(at_ms: u64, context: &Context) -> String {
    local(&time::utc(at_ms).unwrap_or_default(), context)
}

pub fn local(utc: &str, context: &Context) -> String {
    match millis(utc) {
        Some(at_ms) => time::local(at_ms, &context.zone),
        // An imported document has what somebody wrote there.
        None => utc.to_owned(),
    }
}

pub fn line(text: &str, context: &mut Context) -> Result<()> {
    Ok(context.output.line(escape::line(text))?)
}

/// A text, each line of it under what it belongs to.
fn text(text: &str, context: &mut Context) -> Result<()> {
    text.lines().try_for_each(|it| line(&format!("      {it}"), context))
}

const OTHERS_NAMED: usize = 3;
const RELATED_TOLD: usize = 5;

pub fn closed(it: &CloseDone, context: &mut Context) -> Result<()> {
    let status = it.done.document.status.map_or("", DebugStatus::as_str);
    let at = match it.done.sequence {
        Some(at) => format!(" (@{})", at.0),
        None => " already: nothing was changed".to_owned(),
    };
    line(&format!("Debug session {} is {status}{at}", it.done.session), context)?;
    for hook in &it.hooks {
        let why = hook.failed.as_ref().map(|it| format!(": {it}")).unwrap_or_default();
        line(&format!("  {}: {}{why}", hook.hook, hook.outcome), context)?;
    }
    line(&format!("Next: annals debug show {}", it.done.session), context)
}
