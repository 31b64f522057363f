//! Results, from what a line says of them.

use super::content::Said;
use super::output::Output;
use super::verdict;
use crate::agents::import::head_of;
use crate::agents::import::item::CallResult;
use crate::event::Outcome;

/// A result of which nothing is known but its call.
pub fn empty(session: Option<&str>, id: String) -> CallResult {
    CallResult {
        scope: crate::agents::import::codex::scope(session, &id),
        id,
        outcome: Outcome::Ok,
        exit_code: None,
        duration_ms: None,
        error: None,
        stdout: None,
        stderr: None,
        file: None,
        created: false,
        changes: Vec::new(),
        subagent: None,
    }
}

/// What an output's text says of how its call ended.
pub fn told(session: Option<&str>, id: String, said: &Said, output: Output) -> CallResult {
    let Output { exit_code, duration_ms, running: _, script_failed, body } = output;
    let success = said.success.or(script_failed.then_some(false));
    let mut result = empty(session, id);
    result.outcome = verdict::outcome(exit_code, success, &body);
    (result.exit_code, result.duration_ms) = (exit_code, duration_ms);
    if verdict::was_stopped(&body) {
        result.error = Some("stopped by the user before it ended".to_owned());
        return result;
    }
    print(&mut result, body);
    result
}

/// Puts what was printed where it belongs, and says what a person reads first.
pub fn print(result: &mut CallResult, body: String) {
    if result.outcome == Outcome::Ok {
        result.stdout = printed(body);
        return;
    }
    result.error = Some(error(result.exit_code, &body));
    if result.outcome == Outcome::Failed {
        result.stderr = printed(body);
    }
}

/// What a person reads first of a failure.
pub fn error(exit_code: Option<i32>, body: &str) -> String {
    let said = body.trim();
    match (exit_code, said.is_empty()) {
        (Some(code), true) => format!("Exit code {code}"),
        (Some(code), false) => head_of(&format!("Exit code {code}\n{said}")).to_owned(),
        (None, true) => "failed without a word".to_owned(),
        (None, false) => head_of(said).to_owned(),
    }
}

/// The bytes of a text that is not empty.
pub fn printed(text: String) -> Option<Vec<u8>> {
    Some(text.into_bytes()).filter(|bytes| !bytes.is_empty())
}

/// One result from what the model was told and from what an event tells of the same call: numbers
/// are the event's, text is the model's unless the event kept both streams apart.
pub fn joined(told: CallResult, event: CallResult) -> CallResult {
    let refused = [&told, &event].iter().any(|one| one.outcome == Outcome::Refused);
    let outcome = if refused { Outcome::Refused } else { event.outcome };
    let agree = outcome == told.outcome;
    let apart = event.stdout.is_some() && event.stderr.is_some();
    let text = told.stdout.clone().or_else(|| told.stderr.clone());
    let (stdout, stderr) = match outcome {
        Outcome::Refused => (None, None),
        _ if apart => (event.stdout, event.stderr),
        _ if agree && text.is_some() => (told.stdout, told.stderr),
        Outcome::Ok => (text.or(event.stdout).or(event.stderr), None),
        _ => (None, text.or(event.stderr).or(event.stdout)),
    };
    CallResult {
        outcome,
        exit_code: event.exit_code.or(told.exit_code),
        duration_ms: event.duration_ms.or(told.duration_ms),
        error: match outcome {
            Outcome::Ok => None,
            _ if agree => told.error,
            _ => event.error.or(told.error),
        },
        stdout,
        stderr,
        changes: if event.changes.is_empty() { told.changes } else { event.changes },
        ..told
    }
}
