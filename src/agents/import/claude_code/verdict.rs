//! How a call ended, from the words the agent wrote into its result.

use crate::event::Outcome;

/// Beginnings of results of calls that never ran: the user, a permission or validation said no,
/// or a call beside it failed first.
const REFUSALS: &[&str] = &[
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "[Request interrupted by user for tool use]",
    "Sibling tool call errored",
    "Permission to use ",
    "Claude requested permissions to ",
    "InputValidationError",
];

/// The text without the tag the agent puts around what its tools refuse.
pub fn untagged(text: &str) -> &str {
    let trimmed = text.trim();
    trimmed
        .strip_prefix("<tool_use_error>")
        .map_or(trimmed, |rest| rest.strip_suffix("</tool_use_error>").unwrap_or(rest))
}

/// The outcome of a result that is, or is not, marked as an error.
pub fn outcome(is_error: bool, text: &str) -> Outcome {
    let said = untagged(text);
    match is_error {
        false => Outcome::Ok,
        true if REFUSALS.iter().any(|beginning| said.starts_with(beginning)) => Outcome::Refused,
        true => Outcome::Failed,
    }
}

/// The exit code and the rest of a text that begins `Exit code N`.
pub fn exit_code(text: &str) -> Option<(i32, &str)> {
    let rest = untagged(text).strip_prefix("Exit code ")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let code = rest[..digits].parse().ok()?;
    let body = &rest[digits..];
    (body.is_empty() || body.starts_with(['\n', '\r']))
        .then(|| (code, body.trim_start_matches(['\r', '\n'])))
}
