//! What a tool printed, as an artifact's JSON.

use std::borrow::Cow;

use serde::Serialize;

use crate::event::Content;

/// Printed text above this is kept in the store as its beginning and end; the journal has it all.
/// Bounds the memory of a rebuild.
const TEXT_BYTES_MAX: usize = 4 << 20;

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

/// `{"text": …}`, with invalid UTF-8 made valid (ruling 7). `None` where the bytes are not here.
pub fn artifact_json(content: &Content) -> Option<String> {
    let text = text(content, TEXT_BYTES_MAX)?;
    // Serialising a str cannot fail; if it did, the artifact would be missing, not wrong.
    serde_json::to_string(&Text { text: &text }).ok()
}

/// A content's whole text; `None` where it is not here, not whole, longer, or not UTF-8.
pub fn whole(content: &Content, bytes_max: usize) -> Option<&str> {
    match content {
        Content::Inline(bytes) if bytes.len() <= bytes_max => std::str::from_utf8(bytes).ok(), // as said
        _ => None,
    }
}

pub fn text(content: &Content, bytes_max: usize) -> Option<Cow<'_, str>> {
    match content {
        Content::Blob { .. } | Content::Repeated { .. } => None,
        Content::Inline(bytes) if bytes.len() <= bytes_max => Some(valid(bytes)),
        Content::Inline(bytes) => {
            let half = bytes_max / 2;
            let (head, tail) = (&bytes[..half], &bytes[bytes.len() - half..]);
            Some(Cow::Owned(abridged(head, tail, bytes.len() as u64)))
        }
        Content::Truncated { head, tail, len } => {
            let half = bytes_max / 2;
            let head = &head[..head.len().min(half)];
            let tail = &tail[tail.len().saturating_sub(half)..];
            Some(Cow::Owned(abridged(head, tail, *len)))
        }
    }
}

/// Whole UTF-8 is the rule, and checked in one sweep at ten times the speed of mending it.
fn valid(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

fn abridged(head: &[u8], tail: &[u8], len: u64) -> String {
    let missing = len.saturating_sub((head.len() + tail.len()) as u64);
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    format!("{head}\n[… {missing} bytes left out …]\n{tail}")
}
