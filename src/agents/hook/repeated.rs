//! What an agent is told whose call failed again: what was tried, what was changed in between,
//! and what helped the last time.

use super::{Firing, HookAnswer, Known, ToolCall, words};
use crate::event::target::{Target, arguments_digest, call_target};
use crate::event::{Body, ContextInjected, GateMode};
use crate::grounding::fold::{GroundingEntry, PendingFailure, Resolution};

/// Characters of an answer.
const CHARS_MAX: usize = 4_000;

/// The answer to a call that failed: nothing the first time.
pub fn answer(firing: &Firing<'_>, call: &ToolCall, known: &mut Known<'_>) -> HookAnswer {
    if firing.mode == GateMode::Observe {
        return HookAnswer::default();
    }
    known.catch_up();
    let target = Target::of(call.arguments(), call.paths(), &[]);
    let key = call_target(target.as_ref(), arguments_digest(call.arguments()));
    let grounding = known.grounding();
    let pending = grounding.pending_of(call.tool(), key).filter(|it| it.failures > 1);
    let Some(pending) = pending else { return HookAnswer::default() };
    let text = told(pending, grounding.resolution_of(call.tool(), key));
    let text = words::bounded(&text, CHARS_MAX);
    let body = Body::ContextInjected(ContextInjected {
        what: "repeated failure".to_owned(),
        chars: text.chars().count() as u64,
        digest: *blake3::hash(text.as_bytes()).as_bytes(),
    });
    // The failure is on record; that it was spoken of is worth less than the answer.
    drop(firing.record(vec![firing.event(body)], known));
    HookAnswer::context(text)
}

fn told(pending: &PendingFailure, resolution: Option<&Resolution>) -> String {
    let last = &pending.last;
    let target = last.target.as_deref().unwrap_or("the same call");
    let mut text = format!(
        "This failed {} times without a success in between: {} {}\n",
        pending.failures,
        words::line(&last.tool),
        words::line(target)
    );
    let attempts: Vec<_> = pending.executions.iter().flatten().map(|it| format!("#{it}")).collect();
    text.push_str(&format!("Earlier attempts: {}\n", attempts.join(", ")));
    text.push_str(&match pending.same {
        0 | 1 => "The diagnostic is another one than before.\n".to_owned(),
        same => format!("The last {same} have the same diagnostic.\n"),
    });
    if let Some(error) = &last.error {
        text.push_str(&format!("It is: {}\n", words::line(error)));
    }
    match pending.edits {
        0 => text.push_str("Nothing was changed since the first of them.\n"),
        edits => {
            let files = pending.edited.iter().map(|it| words::line(it)).collect::<Vec<_>>();
            text.push_str(&format!("Edits in between: {edits} ({})\n", files.join(", ")));
        }
    }
    if let Some(resolution) = resolution {
        text.push_str(&helped(resolution));
    }
    if pending.is_loop() {
        text.push_str("You are in a failure loop. Query memory for details before retrying.\n");
    }
    text.push_str("See: annals timeline, annals show ");
    text.push_str(last.name().trim_start_matches('#'));
    text.push('\n');
    text
}

fn helped(resolution: &Resolution) -> String {
    let name = |entry: &GroundingEntry| entry.name();
    let mut text = format!(
        "The last time it failed ({}) it was resolved by {}",
        name(&resolution.failed),
        name(&resolution.resolved)
    );
    if !resolution.edited.is_empty() {
        let files = resolution.edited.iter().map(|it| words::line(it)).collect::<Vec<_>>();
        text.push_str(&format!(" after changes to {}", files.join(", ")));
    }
    text.push_str(".\n");
    text
}
