//! Events of debug memory in words.

use super::text::{list, output};
use super::{Bounds, Lines};
use crate::cli::counted;
use crate::event::{
    AttemptRecorded, Body, DebugSessionId, DebugStatus, ErrorPattern, FixApplied,
    LearningExtracted, TestFailure, Verification,
};
use crate::execution::replay::Contents;
use crate::output::stream::Colour;

/// The head of an event of debug memory; `None` of any other.
pub fn told(
    body: &Body,
    contents: &Contents,
    bounds: Bounds,
    lines: &mut Lines,
) -> Option<(Option<Colour>, String)> {
    Some(match body {
        Body::DebugSessionOpened(b) => {
            lines.field("agent", b.agent.as_deref());
            lines.field("task", b.task_id.as_deref());
            (None, format!("debug    {}: {} is under repair", short(b.session), b.file_path))
        }
        Body::AttemptRecorded(b) => attempt(b, contents, bounds, lines),
        Body::AnalysisRecorded(b) => {
            lines.quote(&b.analysis.root_cause, bounds);
            lines.field("to do", Some(&b.analysis.fix_strategy));
            lines.say(Some(Colour::Dim), &format!("by {}", b.by.as_str()));
            let category = b.analysis.root_cause_category.map_or("no category", |it| it.as_str());
            (
                None,
                format!(
                    "debug    {}: cause of attempt {}: {category}",
                    short(b.session),
                    b.attempt
                ),
            )
        }
        Body::FixApplied(b) => (None, fix(b, bounds, lines)),
        Body::FixVerified(b) => {
            let colour = match b.verification {
                Verification::Pending => None,
                Verification::Passed => Some(Colour::Green),
                Verification::Failed => Some(Colour::Red),
            };
            let verdict = b.verification.as_str();
            (
                colour,
                format!("debug    {}: fix of attempt {}: {verdict}", short(b.session), b.attempt),
            )
        }
        Body::TemplateTried(b) => {
            lines.field("of", Some(&short(b.template.session)));
            let verdict = if b.worked { "worked" } else { "did not work" };
            let pattern = &b.template.pattern;
            (None, format!("debug    {}: template {pattern} {verdict}", short(b.session)))
        }
        Body::LearningExtracted(b) => (None, learning(b, lines)),
        Body::DebugSessionClosed(b) => {
            lines.field("why", b.reason.as_deref());
            let colour = match b.status {
                DebugStatus::InProgress => None,
                DebugStatus::Passed => Some(Colour::Green),
                DebugStatus::Failed | DebugStatus::Escalated => Some(Colour::Red),
            };
            (colour, format!("debug    {}: {}", short(b.session), b.status.as_str()))
        }
        Body::DebugSessionExpired(b) => {
            lines.field("archived", b.archived.as_deref());
            let days = counted(u64::from(b.days), "day");
            (None, format!("debug    {}: expired after {days}", short(b.session)))
        }
        Body::DebugSessionImported(b) => {
            lines.field("called", b.native_id.as_deref());
            lines.quote(&b.document.0, bounds);
            (None, format!("debug    {}: a document was taken over", short(b.session)))
        }
        _ => return None,
    })
}

fn attempt(
    b: &AttemptRecorded,
    contents: &Contents,
    bounds: Bounds,
    lines: &mut Lines,
) -> (Option<Colour>, String) {
    for failure in &b.failures {
        lines.say(Some(Colour::Red), &format!("{}: {}", failure.test_name, first_line(failure)));
    }
    if let Some(code) = &b.code_snapshot {
        output(None, code, contents, bounds, lines);
    }
    let results = &b.results;
    let colour = if results.is_passed() { Colour::Green } else { Colour::Red };
    let passed = format!("{} of {} passed", results.passed, results.total);
    (Some(colour), format!("debug    {}: attempt {}: {passed}", short(b.session), b.attempt))
}

fn first_line(failure: &TestFailure) -> &str {
    failure.error_message.lines().next().unwrap_or_default()
}

fn fix(b: &FixApplied, bounds: Bounds, lines: &mut Lines) -> String {
    lines.quote(&b.fix.description, bounds);
    lines.field("lines", b.fix.diff_summary.as_deref());
    list("files", b.fix.files_changed.as_deref().unwrap_or_default(), lines);
    if let Some(diff) = &b.fix.diff {
        lines.quote(diff, bounds);
    }
    let what = if b.template.is_some() { "fix from a template" } else { "fix" };
    format!("debug    {}: {what} after attempt {}", short(b.session), b.attempt)
}

fn learning(b: &LearningExtracted, lines: &mut Lines) -> String {
    let learnings = &b.learnings;
    for ErrorPattern { pattern, fix_template, .. } in learnings.patterns_identified.iter().flatten()
    {
        lines.field(pattern, Some(fix_template.as_deref().unwrap_or("no template")));
    }
    list("recommended", learnings.recommendations.as_deref().unwrap_or_default(), lines);
    format!("debug    {}: learnt by {}", short(b.session), b.by.as_str())
}

/// A session by the first and the last of its digits: the first are its time.
fn short(session: DebugSessionId) -> String {
    let id = session.to_string();
    format!("{}…{}", id.get(..8).unwrap_or_default(), id.get(30..).unwrap_or_default())
}
