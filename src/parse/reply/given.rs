//! A model's reply, or the object of its block alone, as a person hands it over.

use serde::de::IgnoredAny;

use super::{MissingMemoryUpdateError, ReplyError, Updates, extract_memory_updates};

/// Keys of a reply's answer: an object with one of them is a reply without its block.
const OF_ANSWERS: [&str; 5] = ["phase_artifacts", "command", "done", "notes", "constraints"];

/// Reads what a reply asks of memory, or the JSON object that would be in its block.
///
/// # Errors
/// As [`extract_memory_updates`]: where there is neither.
pub fn updates_of(text: &str) -> Result<Updates, ReplyError> {
    let text = text.trim();
    let is_json = || serde_json::from_str::<IgnoredAny>(text).is_ok();
    let is_alone = text.starts_with(['{', '[']) && (!text.contains("<memory_update") || is_json());
    if !is_alone {
        return Ok(extract_memory_updates(text, true)?.updates.unwrap_or_default());
    }
    match Updates::parse_of("input", text) {
        Err(ReplyError::UnknownKeys { keys, .. })
            if keys.iter().any(|key| OF_ANSWERS.contains(&key.as_str())) =>
        {
            Err(MissingMemoryUpdateError.into())
        }
        read => read,
    }
}
