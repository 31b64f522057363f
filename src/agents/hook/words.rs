//! What hooks say to models and to people.

use super::{Firing, HookAgent};
use crate::grounding::fold::Grounding;
use crate::grounding::gate;
use crate::grounding::gate::{Refusal, block};
use crate::grounding::timeline::{TimelineBlock, TimelineEntry, one_line};

/// Characters of what a model is given at once.
const CHARS_MAX: usize = 4_000;

/// The beginning of a text, in whole lines where it is cut.
pub fn bounded(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        None => text.to_owned(),
        Some((end, _)) => {
            let kept = text[..end].rfind('\n').map_or(&text[..end], |at| &text[..at]);
            kept.to_owned()
        }
    }
}

/// One line of something untrusted, which cannot look like one of ours.
pub fn line(text: &str) -> String {
    one_line(text)
}

/// The timeline's header, as spec 001 has it.
pub fn header(grounding: &Grounding, at_ms: u64) -> String {
    let block = block(grounding);
    let position = &block.position;
    let last = match &position.last_execution {
        Some(last) => format!("{} ({})", name(last), state(last)),
        None => "none".to_owned(),
    };
    let queried = match position.last_query_ms {
        Some(query_ms) => format!("{}ms ago", at_ms.saturating_sub(query_ms)),
        None => "never".to_owned(),
    };
    let mut text = format!(
        "=== EXECUTION TIMELINE (GROUND TRUTH) ===\n\
         Current Position: Step {}\n\
         Total Executions: {}\n\
         Last Execution: {last}\n\
         Last Query: {queried}\n",
        position.current_step, position.total_executions,
    );
    pending(&block, &mut text);
    text
}

/// The timeline as a model is given it: header, recent history, what is pending.
pub fn timeline(grounding: &Grounding, at_ms: u64) -> String {
    let mut text = header(grounding, at_ms);
    let block = block(grounding);
    if !block.recent.is_empty() {
        text.push_str(&format!("\nRECENT HISTORY (last {}):\n", block.recent.len()));
        for entry in &block.recent {
            let target = entry.affected_path.as_deref().map(line).unwrap_or_default();
            let (name, state) = (name(entry), state(entry));
            let tool = line(&entry.tool_name);
            text.push_str(&format!("{name} {tool} {target} {state}\n"));
            if let Some(error) = &entry.error_summary {
                text.push_str(&format!("  → {}\n", line(error)));
            }
        }
    }
    text
}

fn pending(block: &TimelineBlock, text: &mut String) {
    for pending in &block.pending {
        let execution = &pending.execution;
        let target = execution.affected_path.as_deref().map(line).unwrap_or_default();
        let error = execution.error_summary.as_deref().map(line).unwrap_or_default();
        text.push_str(&format!(
            "Pending failure: {} {} {target}, {} times: {error}\n",
            name(execution),
            line(&execution.tool_name),
            pending.failures
        ));
    }
    if !block.loops.is_empty() {
        text.push_str("You are in a failure loop. Query memory for details before retrying.\n");
    }
}

fn name(entry: &TimelineEntry) -> String {
    match entry.execution_id {
        Some(ordinal) => format!("#{ordinal}"),
        None => format!("@{}", entry.sequence),
    }
}

fn state(entry: &TimelineEntry) -> &'static str {
    match entry.outcome.map(crate::event::Outcome::as_str) {
        Some("ok") => "SUCCESS",
        Some("failed") => "FAILED",
        Some("refused") => "REFUSED",
        Some(_) => "INTERRUPTED",
        None => "RUNNING",
    }
}

/// What a session begins with: where it stands, and how the timeline is read.
pub fn opening(firing: &Firing<'_>, grounding: &Grounding, is_exported: bool) -> String {
    let mut text = timeline(grounding, firing.at_ms);
    text.push_str(
        "\nREQUIRED: Before acting, you MUST query memory:\n\
         - Run `annals timeline` in a shell to see recent history\n\
         - Run `annals log --tool TOOL --failed` to see failures\n\
         - Reference execution IDs, not memory\n",
    );
    if firing.agent == HookAgent::Codex && !is_exported {
        text.push_str(&format!(
            "A read counts for this session where the shell call is `annals timeline` itself, or \
             ANNALS_SESSION={} is set for it.\n",
            firing.session
        ));
    }
    bounded(&text, CHARS_MAX)
}

/// Why a call was denied, with the timeline: reading this is the read that was missing.
pub fn denial(refusal: &Refusal, grounding: &Grounding, at_ms: u64) -> String {
    given(refusal, "The timeline follows. Read it, then call again.", grounding, at_ms)
}

/// What a call that goes on should have read before.
pub fn advice(refusal: &Refusal, grounding: &Grounding, at_ms: u64) -> String {
    given(refusal, "The call goes on; this is the timeline.", grounding, at_ms)
}

fn given(refusal: &Refusal, then: &str, grounding: &Grounding, at_ms: u64) -> String {
    let text = format!(
        "{refusal}. Required: {}, in a shell `annals timeline`. {then}\n\n{}",
        refusal.required_query,
        timeline(grounding, at_ms)
    );
    bounded(&text, CHARS_MAX)
}

/// The verdict on a call that was denied before.
pub fn denied_before() -> String {
    format!("Grounding required: {}: run `annals timeline` in a shell", Refusal::NO_GROUNDING)
}

/// Why an agent shall not stop yet.
pub fn unverified(firing: &Firing<'_>, refusal: &Refusal, grounding: &Grounding) -> String {
    let line = gate::unverified(firing.project, refusal, grounding);
    bounded(&format!("{line}\n\n{}", timeline(grounding, firing.at_ms)), CHARS_MAX)
}
