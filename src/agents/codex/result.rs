//! Results, from what a line says of them.

use serde::Deserialize;

use super::payload::Said;
use crate::agents::import::head_of;
use crate::agents::import::item::CallResult;
use crate::agents::import::loose::{Loose, Number, Text, parsed};
use crate::event::{Outcome, STOPPED_BY_USER};

/// A result of which nothing is known but its call.
pub fn empty(session: Option<&str>, id: String) -> CallResult {
    let scope = super::scope(session, &id);
    CallResult::of(id, scope, Outcome::Ok)
}

pub fn told(session: Option<&str>, id: String, said: &Said, output: Output) -> CallResult {
    let Output { exit_code, duration_ms, running: _, script_failed, body } = output;
    let success = said.success.or(script_failed.then_some(false));
    let mut result = empty(session, id);
    result.outcome = outcome(exit_code, success, &body);
    (result.exit_code, result.duration_ms) = (exit_code, duration_ms);
    if was_stopped(&body) {
        result.error = Some(STOPPED_BY_USER.to_owned());
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

pub fn error(exit_code: Option<i32>, body: &str) -> String {
    let said = body.trim();
    match (exit_code, said.is_empty()) {
        (Some(code), true) => format!("Exit code {code}"),
        (Some(code), false) => head_of(&format!("Exit code {code}\n{said}")).to_owned(),
        (None, true) => "failed without a word".to_owned(),
        (None, false) => head_of(said).to_owned(),
    }
}

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

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    /// The process still runs, and later calls ask for it by this.
    pub running: Option<String>,
    /// A script of the agent's own said that it failed.
    pub script_failed: bool,
    pub body: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Numbered<'a> {
    #[serde(borrow)]
    output: Text<'a>,
    metadata: Loose<Metadata>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Metadata {
    exit_code: Number,
    duration_seconds: Number,
}

/// Takes an output's text apart: a JSON object with its numbers beside the text, or lines that end
/// with `Output:`, or the bare text.
pub fn output(text: String) -> Output {
    if text.starts_with('{')
        && let Some(Numbered { output, metadata: Loose(Some(metadata)) }) = parsed(text.as_bytes())
        && output.0.is_some()
    {
        return Output {
            exit_code: whole(metadata.exit_code),
            duration_ms: metadata.duration_seconds.to_ms(1000.0),
            body: output.0.unwrap_or_default().into_owned(),
            ..Output::default()
        };
    }
    let mut found = Output::default();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim_end_matches('\r');
        if line == "Output:" && rest.len() < text.len() {
            rest = after;
            break;
        }
        if !found.header(line) {
            break;
        }
        rest = after;
    }
    found.body = rest.to_owned();
    found
}

impl Output {
    /// Takes a line that says something of the output; `false` where it is none.
    fn header(&mut self, line: &str) -> bool {
        const SAYS_NOTHING: &[&str] = &[
            "Command: ",
            "Chunk ID: ",
            "Total output lines: ",
            "Original token count: ",
            "Script completed",
            "Script running with ",
        ];
        if let Some(code) = line.strip_prefix("Exit code: ") {
            self.exit_code = code.parse().ok(); // what is no number says nothing
            return self.exit_code.is_some();
        }
        if let Some(code) = line.strip_prefix("Process exited with code ") {
            self.exit_code = code.trim_end_matches('.').parse().ok(); // as above
            return self.exit_code.is_some();
        }
        if let Some(id) = line.strip_prefix("Process running with session ID ") {
            self.running = Some(id.to_owned());
            return true;
        }
        if let Some(time) = line.strip_prefix("Wall time") {
            let time = time.trim_start_matches(':').trim();
            let seconds = time.strip_suffix("seconds").and_then(|time| time.trim().parse().ok());
            self.duration_ms = Number(seconds).to_ms(1000.0);
            return self.duration_ms.is_some();
        }
        if line == "Script failed" {
            self.script_failed = true;
            return true;
        }
        SAYS_NOTHING.iter().any(|beginning| line.starts_with(beginning))
    }
}

pub fn whole(number: Number) -> Option<i32> {
    let value = number.0?;
    let fits = value.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
    fits.then_some(value as i32)
}

/// Beginnings of results of calls that never ran: the user, a policy or validation said no.
const REFUSALS: &[&str] = &[
    "exec command rejected",
    "patch rejected",
    "rejected by user",
    "user rejected MCP tool call",
    "user cancelled MCP tool call",
    "approval policy is ",
    "approval required by policy",
    "This action was rejected due to unacceptable risk",
    "failed to parse function arguments",
    "unsupported call: ",
    "unsupported custom tool call: ",
];

/// Beginnings of what the agent says of a tool that could not do what was asked.
const FAILURES: &[&str] = &[
    "execution error: ",
    "err: ",
    "tool call error: ",
    "apply_patch verification failed",
    "exec_command failed",
    "write_stdin failed",
    "command timed out after ",
    "failed in sandbox",
    "failed to ",
    "unable to ",
];

pub fn was_stopped(body: &str) -> bool {
    let said = body.trim();
    said == "aborted" || said == "aborted by user" || said.starts_with("aborted by user after ")
}

pub fn outcome(exit_code: Option<i32>, success: Option<bool>, body: &str) -> Outcome {
    let said = body.trim_start();
    let begins = |with: &[&str]| with.iter().any(|beginning| said.starts_with(beginning));
    match (exit_code, success) {
        (Some(0), _) => Outcome::Ok,
        (Some(_), _) => Outcome::Failed,
        // A policy's refusal names the command first.
        _ if begins(REFUSALS) || (said.starts_with('`') && said.contains("` rejected: ")) => {
            Outcome::Refused
        }
        _ if was_stopped(body) || success == Some(false) || begins(FAILURES) => Outcome::Failed,
        _ => Outcome::Ok,
    }
}

pub fn of_status(status: Option<&str>) -> Option<Outcome> {
    match status {
        Some("completed") => Some(Outcome::Ok),
        Some("failed") => Some(Outcome::Failed),
        Some("declined") => Some(Outcome::Refused),
        _ => None,
    }
}
