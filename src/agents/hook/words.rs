//! What hooks say to models and to people.

use super::fence::untagged;
use super::{Firing, HookAnswer, Known, known_fix};
use crate::event::{Body, Content, ContextInjected, ExecutionId, Outcome};
use crate::grounding::fold::{Grounding, PendingFailure, Resolution};
use crate::grounding::gate;
use crate::grounding::gate::Refusal;
use crate::grounding::timeline::{TimelineBlock, one_line};
use crate::parse::check::cause::Cause;

pub use super::fence::{fence, fenced};

/// Of what is told of calls, Unicode scalar values.
const CALLS_CHARS_MAX: usize = 3_000;
const IN_LOOP: &str = "You are in a failure loop. Query memory for details before retrying.\n";

// What a model is given besides the timeline, as it is recorded.
const REPEATED: &str = "repeated failure";
const MET: &str = "failure met before";
pub const BROKEN: &str = "broken before";
pub const PACK: &str = "context pack";
pub const FILES: &str = "files";

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

pub fn header(grounding: &Grounding, at_ms: u64) -> String {
    let block = TimelineBlock::of(grounding);
    headed(&block, at_ms, &pending(&block))
}

/// The timeline as a model is given it: header, recent history, what is pending.
pub fn timeline(grounding: &Grounding, at_ms: u64) -> String {
    let block = TimelineBlock::of(grounding);
    let mut told = pending(&block);
    if !block.recent.is_empty() {
        told.push_str(&format!("RECENT HISTORY (last {}):\n", block.recent.len()));
        for entry in &block.recent {
            let target = entry.affected_path.as_deref().map(line).unwrap_or_default();
            let (tool, state) = (line(&entry.tool_name), entry.status());
            told.push_str(&format!("{} {tool} {target} {state}\n", entry.name()));
            if let Some(error) = &entry.error_summary {
                told.push_str(&format!("  → {}\n", line(error)));
            }
        }
    }
    headed(&block, at_ms, &told)
}

/// Our words, and in a fence what is told of calls.
fn headed(block: &TimelineBlock, at_ms: u64, told: &str) -> String {
    let mut text = format!("{}\n", block.position.head(at_ms));
    if !block.loops.is_empty() {
        text.push_str(IN_LOOP);
    }
    if !told.is_empty() {
        text.push_str(&fenced("What was called", &bounded(told, CALLS_CHARS_MAX)));
    }
    text
}

fn pending(block: &TimelineBlock) -> String {
    let told = block.pending.iter().map(|pending| {
        let execution = &pending.execution;
        let target = execution.affected_path.as_deref().map(line).unwrap_or_default();
        let error = execution.error_summary.as_deref().map(line).unwrap_or_default();
        format!(
            "Pending failure: {} {} {target}{}, {} times: {error}\n",
            execution.name(),
            line(&execution.tool_name),
            behind(execution.told),
            pending.failures
        )
    });
    told.collect()
}

/// What last broke a file: behind our words it has an output's.
pub fn broken(told: Given) -> Given {
    let said = told.text.split_once(": ").map_or(&*told.text, |it| it.1);
    Given { text: fenced("What last broke it", said), ..told }
}

/// Of a failure: whether its caller was told that it went well.
fn behind(told: Option<Outcome>) -> &'static str {
    if told == Some(Outcome::Ok) { " (behind a pipe)" } else { "" }
}

pub fn opening(firing: &Firing<'_>, grounding: &Grounding, is_exported: bool) -> String {
    let mut text = timeline(grounding, firing.at_ms);
    text.push_str(
        "\nREQUIRED: Before acting, you MUST query memory:\n\
         - Run `annals timeline` in a shell to see recent history\n\
         - Run `annals log --tool TOOL --failed` to see failures\n\
         - Reference execution IDs, not memory\n",
    );
    if !firing.agent.facts().names_session && !is_exported {
        text.push_str(&format!(
            "A read counts for this session where the shell call is `annals timeline` itself, or \
             ANNALS_SESSION={} is set for it.\n",
            firing.session
        ));
    }
    text
}

/// Why a call was denied, with the timeline: reading this is the read that was missing.
pub fn denial(refusal: &Refusal, grounding: &Grounding, at_ms: u64) -> String {
    given(refusal, "The timeline follows. Read it, then call again.", grounding, at_ms)
}

pub fn advice(refusal: &Refusal, grounding: &Grounding, at_ms: u64) -> String {
    given(refusal, "The call goes on; this is the timeline.", grounding, at_ms)
}

fn given(refusal: &Refusal, then: &str, grounding: &Grounding, at_ms: u64) -> String {
    format!(
        "{refusal}. Required: {}, in a shell `annals timeline`. {then}\n\n{}",
        refusal.required_query,
        timeline(grounding, at_ms)
    )
}

pub fn denied_before() -> String {
    format!("Grounding required: {}: run `annals timeline` in a shell", Refusal::NO_GROUNDING)
}

pub fn unverified(firing: &Firing<'_>, refusal: &Refusal, grounding: &Grounding) -> String {
    let line = gate::unverified(firing.project, refusal, grounding);
    format!("{line}\n\n{}", timeline(grounding, firing.at_ms))
}

/// The answer to a call that failed: what is known of it where it failed before, or something else did for the
/// same cause.
pub fn failed(
    firing: &Firing<'_>,
    execution: ExecutionId,
    causes: &[Cause],
    known: &mut Known<'_>,
) -> HookAnswer {
    let mut all = Vec::new();
    let of_text = |text| Given { text, ..Given::default() };
    all.extend(repeated(execution, known.grounding()).map(|it| (REPEATED, of_text(it))));
    let met = known_fix::told(firing, execution, causes, known);
    all.extend(met.map(|it| (MET, Given { text: untagged(&it.text), ..it })));
    if all.is_empty() {
        return HookAnswer::default();
    }
    let events = all.iter().map(|(what, given)| firing.event(injected(what, given))).collect();
    // The failure is on record; that it was spoken of is worth less than the answer.
    drop(firing.record(events, known));
    let texts: Vec<String> = all.into_iter().map(|(_, given)| given.text).collect();
    HookAnswer::context(texts.join("\n"))
}

/// That a model was given a text.
pub fn injected(what: &str, Given { text, files }: &Given) -> Body {
    Body::ContextInjected(ContextInjected {
        what: what.to_owned(),
        chars: text.chars().count() as u64,
        digest: *blake3::hash(text.as_bytes()).as_bytes(),
        text: Content::Inline(text.clone().into_bytes()),
        files: files.clone(),
    })
}

/// What a model is given, and the files in it that show whether it was of use.
#[derive(Clone, Debug, Default)]
pub struct Given {
    pub text: String,
    /// From the root.
    pub files: Vec<String>,
}

fn repeated(execution: ExecutionId, grounding: &Grounding) -> Option<String> {
    let is_its = |it: &&PendingFailure| it.failures > 1 && it.last.id() == execution;
    let pending = grounding.pending.iter().find(is_its)?;
    Some(told(pending, grounding.resolution_before(pending)))
}

fn told(pending: &PendingFailure, resolution: Option<&Resolution>) -> String {
    let last = &pending.last;
    let mut text = format!(
        "This failed {} times without a success in between{}.\n",
        pending.failures,
        behind(last.told)
    );
    let attempts: Vec<_> = pending.executions.iter().flatten().map(|it| format!("#{it}")).collect();
    text.push_str(&format!("Earlier attempts: {}\n", attempts.join(", ")));
    text.push_str(&match pending.same {
        0 | 1 => "The diagnostic is another one than before.\n".to_owned(),
        same => format!("The last {same} have the same diagnostic.\n"),
    });
    text.push_str(&match pending.edits {
        0 => "Nothing was changed since the first of them.\n".to_owned(),
        edits => format!("Edits in between: {edits}\n"),
    });
    if let Some(Resolution { failed, resolved, .. }) = resolution {
        let (failed, resolved) = (failed.name(), resolved.name());
        text.push_str(&format!(
            "The last time it failed ({failed}) it was resolved by {resolved}.\n"
        ));
    }
    if pending.is_loop() {
        text.push_str(IN_LOOP);
    }
    let target = last.target.as_deref().unwrap_or("the same call");
    let mut called = format!("{} {}\n", line(&last.tool), line(target));
    if let Some(error) = &last.error {
        called.push_str(&format!("  → {}\n", line(error)));
    }
    called.push_str(&files("edited in between", pending.edited.iter()));
    called.push_str(&files("edited the last time", resolution.iter().flat_map(|it| &it.edited)));
    text.push_str(&fenced("What failed", &bounded(&called, CALLS_CHARS_MAX)));
    text.push_str(&see(last.name().trim_start_matches('#')));
    text
}

fn files<'f>(what: &str, files: impl Iterator<Item = &'f String>) -> String {
    let files: Vec<String> = files.map(|it| line(it)).collect();
    if files.is_empty() { String::new() } else { format!("{what}: {}\n", files.join(", ")) }
}

/// One line of something untrusted as data within a line of ours.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", line(text).replace('"', "'"))
}

/// Where more of an execution is to be seen.
pub fn see(reference: &str) -> String {
    format!("See: annals show {reference}\n")
}
