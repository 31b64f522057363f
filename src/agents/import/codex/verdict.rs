//! How a call ended, from the words the agent wrote into its result.

use crate::event::Outcome;

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

/// Whether the user stopped it while it ran.
pub fn was_stopped(body: &str) -> bool {
    let said = body.trim();
    said == "aborted" || said == "aborted by user" || said.starts_with("aborted by user after ")
}

/// The outcome of a result with this text and, where a process ran, this exit code.
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

/// The outcome that a finished item's or event's `status` tells.
pub fn of_status(status: Option<&str>) -> Option<Outcome> {
    match status {
        Some("completed") => Some(Outcome::Ok),
        Some("failed") => Some(Outcome::Failed),
        Some("declined") => Some(Outcome::Refused),
        _ => None,
    }
}
