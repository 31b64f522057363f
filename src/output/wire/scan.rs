//! What `scan` found, as it prints it: where secrets are, and nothing of what they say.

use serde::Serialize;

/// Everything that was looked over.
#[derive(Debug, Default, Serialize)]
pub struct Scanned {
    pub findings: Vec<Secret>,
    /// Findings in all; `findings` holds the first of them.
    pub findings_count: u64,
    pub files: u64,
    pub journals: u64,
    pub events: u64,
    /// Bytes that were looked over; of journals those of their events' contents and texts.
    pub bytes: u64,
    /// What was taken out of those events before they were recorded.
    pub redacted: u64,
    pub unreadable: Vec<Unread>,
    /// What could not be read in all; `unreadable` holds the first of it.
    pub unreadable_count: u64,
}

/// A secret's place.
#[derive(Clone, Debug, Serialize)]
pub struct Secret {
    /// The rule that says so.
    pub rule: String,
    /// The file or journal; `-` is standard input.
    pub path: String,
    /// `bytes` of a file, an `event` of a journal, or the `name` of the file itself.
    pub place: &'static str,
    /// Of a file: line and column of its first byte, from 1.
    pub line: Option<u64>,
    pub column: Option<u64>,
    /// Of a journal: which event, and which of its fields.
    pub sequence: Option<u64>,
    pub kind: Option<String>,
    pub field: Option<String>,
    /// Its first byte, from 0: in the file, or in the field as it is recorded.
    pub offset: u64,
    /// How long it is, in bytes.
    pub bytes: u64,
    /// What to do about it.
    pub next: String,
}

/// Something that could not be looked over.
#[derive(Clone, Debug, Serialize)]
pub struct Unread {
    pub path: String,
    pub why: String,
}
