//! The first `<memory_update>` of a reply, and what is left without it.

use super::limits::REPLY_BYTES_MAX;
use super::object::{end_of, objects};
use super::{MissingMemoryUpdateError, ReplyError, Updates};

const OPEN: &str = "<memory_update";
const CLOSE: &str = "</memory_update>";
/// Between the name of an opening tag and its `>`, bytes: a model may write attributes.
const ATTRIBUTES_BYTES_MAX: usize = 200;

/// A reply, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extracted {
    /// `None` where it has no `<memory_update>`.
    pub updates: Option<Updates>,
    /// What is before and behind the block.
    pub rest: String,
}

/// Reads the first `<memory_update>` of a reply. One inside a string of a JSON object, a program's
/// text say, is none.
///
/// # Errors
/// Where the block is not closed, is no JSON object, or asks for what cannot be; where there is
/// none and one is required.
pub fn extract_memory_updates(reply: &str, required: bool) -> Result<Extracted, ReplyError> {
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

/// Without the code fence around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let Some(inside) = text.strip_prefix("```") else { return text };
    let inside = inside.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    inside.trim_end().strip_suffix("```").unwrap_or(inside).trim()
}
