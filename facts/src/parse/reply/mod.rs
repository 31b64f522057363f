//! A model's reply (spec 003): its `<memory_update>`, and its answer. Nothing here asks or writes.
//!
//! A reply is as untrusted as anything that a program prints: every size is in [`limits`].

mod answer;
pub mod field;
mod results;
#[cfg(test)]
mod tests;
mod updates;

use answer::{end_of, is_json, objects};
use limits::REPLY_BYTES_MAX;

pub use answer::{Phase1Step, answer, parse_phase1_iterative_response};
pub use results::{FoundEvent, FoundRecord, ReadResults};
pub use updates::{ArchivalChange, ArchivalWrite, Operation, RecallEvict, RecallWrite, Updates};

/// Every size of a model's reply.
pub mod limits {
    pub const REPLY_BYTES_MAX: usize = 8 << 20;
    pub const UPDATE_BYTES_MAX: usize = 1 << 20;
    /// Entries of one operation: keys set, records written, tags of one record.
    pub const ITEMS_MAX: usize = 1_000;
    pub const NAME_BYTES_MAX: usize = 1_024;
    /// Results that one search may ask for.
    pub const SEARCH_RESULTS_MAX: u64 = 100;
    /// How many `{` are tried for the beginning of an object.
    pub const OBJECTS_TRIED_MAX: usize = 64;
    /// Of what a model is told of its reads, characters; and of one text in it.
    pub const RESULTS_CHARS_MAX: usize = 16_000;
    pub const RESULT_CHARS_MAX: usize = 2_000;
    /// What is told of a key, bytes.
    pub const KEY_TOLD_BYTES_MAX: usize = 80;
    pub const UNKNOWN_TOLD_MAX: usize = 20;

    const _: () = assert!(UPDATE_BYTES_MAX <= crate::event::limits::JSON_BYTES_MAX);
    const _: () = assert!(UPDATE_BYTES_MAX <= REPLY_BYTES_MAX);
    const _: () = assert!(REPLY_BYTES_MAX <= crate::event::limits::CONTENT_BYTES_MAX);
    const _: () = assert!(RESULT_CHARS_MAX <= RESULTS_CHARS_MAX);
}

// The first `<memory_update>` of a reply, and what is left without it.

const OPEN: &str = "<memory_update";
const CLOSE: &str = "</memory_update>";
/// Between the name of an opening tag and its `>`, bytes: a model may write attributes.
const ATTRIBUTES_BYTES_MAX: usize = 200;

/// What reading a reply gives.
pub type Result<T> = std::result::Result<T, ReplyError>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// `None` where it has no `<memory_update>`.
    pub updates: Option<Updates>,
    pub rest: String,
}

/// Reads the first `<memory_update>` of a reply. One inside a string of a JSON object, a program's
/// text say, is none.
pub fn extract_memory_updates(reply: &str, required: bool) -> Result<Extracted> {
    if reply.len() > REPLY_BYTES_MAX {
        let (what, bytes) = ("reply", reply.len());
        return Err(ReplyError::TooLarge { what, bytes, bytes_max: REPLY_BYTES_MAX });
    }
    let Some((begin, inner)) = opening(reply) else {
        return match required {
            true => Err(MissingMemoryUpdateError.into()),
            false => Ok(Extracted { updates: None, rest: reply.trim().to_owned() }),
        };
    };
    let (body, end) = body(&reply[inner..]).ok_or(ReplyError::UnclosedMemoryUpdate)?;
    let updates = Updates::parse(body)?;
    let (before, behind) = (reply[..begin].trim(), reply[inner + end..].trim());
    let rest = match before.is_empty() || behind.is_empty() {
        true => format!("{before}{behind}"),
        false => format!("{before}\n{behind}"),
    };
    Ok(Extracted { updates: Some(updates), rest })
}

/// Where the block begins, and where what is in it does.
fn opening(reply: &str) -> Option<(usize, usize)> {
    let mut found = reply.match_indices(OPEN).filter_map(|(at, _)| Some((at, opened(reply, at)?)));
    let first = found.next()?;
    // Most replies begin with it.
    if !reply[..first.0].contains('{') {
        return Some(first);
    }
    let objects: Vec<(usize, usize)> = objects(reply).collect();
    std::iter::once(first)
        .chain(found)
        .find(|(at, _)| !objects.iter().any(|(open, end)| open < at && at < end))
}

/// Behind the `>` of an opening tag.
fn opened(reply: &str, at: usize) -> Option<usize> {
    let behind = &reply[at + OPEN.len()..];
    let end = behind.bytes().take(ATTRIBUTES_BYTES_MAX).position(|byte| byte == b'>')?;
    let attributes = &behind[..end];
    // `<memory_updates>` is another tag.
    let is_tag = attributes.is_empty() || attributes.starts_with(|c: char| c.is_whitespace());
    is_tag.then_some(at + OPEN.len() + end + 1)
}

/// What is in the block, and where its closing tag ends. A closing tag in a string of its object
/// does not close it.
fn body(text: &str) -> Option<(&str, usize)> {
    let from = match text.find('{') {
        // Only white space and a fence may come before the object.
        Some(open) if is_fence(&text[..open]) => end_of(text, open).unwrap_or(0),
        _ => 0,
    };
    // A fault in its quotes may lead behind the last closing tag: then the first one counts.
    let close = match text[from..].find(CLOSE) {
        Some(close) => from + close,
        None => text.find(CLOSE)?,
    };
    Some((unfenced(&text[..close]), close + CLOSE.len()))
}

fn is_fence(text: &str) -> bool {
    let text = text.trim();
    text.is_empty()
        || text.strip_prefix("```").is_some_and(|name| !name.contains(char::is_whitespace))
}

fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix("```") else { return text };
    let inside = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    inside.trim_end().strip_suffix("```").unwrap_or(inside).trim()
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    #[error(transparent)]
    MissingMemoryUpdate(#[from] MissingMemoryUpdateError),
    #[error("the <memory_update> block is not closed: end it with </memory_update>")]
    UnclosedMemoryUpdate,
    #[error("the {what} is no JSON object: {why}")]
    MalformedMemoryUpdate { what: &'static str, why: String },
    #[error(
        "it asks for nothing: {} means nothing in a <memory_update>, whose keys are {known}",
        quoted(keys)
    )]
    UnknownKeys { keys: Vec<String>, known: String },
    #[error(
        "the reply only reads memory, and there is no round left to answer in: write what you know \
         now, and give the answer"
    )]
    ReadOnly,
    #[error("`{at}` is {is}; it must be {wants}")]
    WrongType { at: String, is: &'static str, wants: &'static str },
    #[error("`{at}` is missing: it must be {wants}")]
    MissingField { at: String, wants: &'static str },
    #[error("`{at}` {why}")]
    Invalid { at: String, why: String },
    #[error(
        "the key `{begins}…` has {bytes} bytes; at most {bytes_max} are taken: give a shorter key, and \
         the rest as its value"
    )]
    LongKey { begins: String, bytes: usize, bytes_max: usize },
    #[error("`{first}` and `{second}` name one operation: give it once")]
    TwoNames { first: String, second: String },
    #[error("`{at}` has {count} {of}; at most {max} are taken")]
    TooMany { at: String, count: usize, of: &'static str, max: usize },
    #[error("memory did not take it: {why}")]
    Refused { why: String },
    #[error("the {what} has {bytes} bytes; at most {bytes_max} are read")]
    TooLarge { what: &'static str, bytes: usize, bytes_max: usize },
    #[error("the reply has no JSON object with {wants}")]
    MissingAnswer { wants: &'static str },
    #[error("the JSON object with {wants} cannot be read: {why}")]
    MalformedAnswer { wants: &'static str, why: String },
}

impl ReplyError {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MissingMemoryUpdate(_) => "missing_memory_update",
            Self::UnclosedMemoryUpdate => "unclosed_memory_update",
            Self::MalformedMemoryUpdate { .. } => "malformed_memory_update",
            Self::UnknownKeys { .. } => "unknown_keys",
            Self::ReadOnly => "read_only",
            Self::WrongType { .. } | Self::MissingField { .. } | Self::Invalid { .. } => "invalid",
            Self::Refused { .. } => "refused",
            Self::TwoNames { .. } => "two_names",
            Self::TooMany { .. } | Self::TooLarge { .. } | Self::LongKey { .. } => "too_large",
            Self::MissingAnswer { .. } => "missing_answer",
            Self::MalformedAnswer { .. } => "malformed_answer",
        }
    }

    /// What to send back to the model, so that its next reply can be used.
    pub fn feedback(&self) -> String {
        format!(
            "Your last reply could not be used: {self}.\nNothing of it was applied. Answer again, in \
             full, in the response format."
        )
    }
}

fn quoted(keys: &[String]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}

/// Keys of a reply's answer: an object with one of them is a reply without its block.
const OF_ANSWERS: [&str; 5] = ["phase_artifacts", "command", "done", "notes", "constraints"];

/// Reads what a reply asks of memory, or the JSON object that would be in its block.
pub fn updates_of(text: &str) -> Result<Updates> {
    let text = text.trim();
    let is_alone =
        text.starts_with(['{', '[']) && (!text.contains("<memory_update") || is_json(text));
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

/// A reply without its `<memory_update>`, where one is asked for (spec 003, "Validation").
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the reply has no <memory_update> block: begin it with \
     <memory_update>{{…}}</memory_update>, empty ({{}}) where there is nothing to remember"
)]
pub struct MissingMemoryUpdateError;
