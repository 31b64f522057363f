//! Contents in JSON: text where it is UTF-8, Base64 where not.

use serde::Serialize;

use crate::event;
use crate::execution::replay::Contents;

/// What a tool printed or was given.
#[derive(Debug, Serialize)]
pub struct Content {
    /// What there was, in bytes.
    pub bytes: u64,
    /// `utf-8` or `base64`: how `data` and `tail` are written; `null` where nothing is here.
    pub encoding: Option<&'static str>,
    /// All of it; where `tail` is not `null`, its beginning.
    pub data: Option<String>,
    /// Its end, where only both ends were recorded.
    pub tail: Option<String>,
    /// The blake3 of the blob that it lies in, hex.
    pub blob: Option<String>,
    /// The sequence of the event that holds the same bytes, where this one only refers to it.
    pub repeats: Option<u64>,
    /// Why nothing is here.
    pub problem: Option<String>,
}

impl Content {
    /// The document of a content, whole.
    pub fn of(content: &event::Content, contents: &Contents) -> Self {
        let brought = contents.bring(content);
        let parts = [brought.bytes.as_deref(), brought.tail];
        let texts = parts.map(|part| part.map(std::str::from_utf8));
        let text = texts.iter().flatten().all(Result::is_ok);
        let [data, tail] = parts.map(|part| {
            part.map(|bytes| match std::str::from_utf8(bytes) {
                Ok(whole) if text => whole.to_owned(),
                _ => crate::output::wire::event::encode(bytes),
            })
        });
        let encoding = if text { "utf-8" } else { "base64" };
        Self {
            bytes: brought.len,
            encoding: data.is_some().then_some(encoding),
            data,
            tail,
            blob: brought.blob.map(hex),
            repeats: brought.repeats,
            problem: brought.problem.map(|error| error.to_string()),
        }
    }
}

/// Thirty-two bytes in hex.
pub fn hex(bytes: [u8; 32]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
