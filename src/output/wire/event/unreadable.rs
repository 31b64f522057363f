//! An event that an export could not read, in its place.

use serde::Serialize;

/// An event that could not be read.
#[derive(Debug, Serialize)]
pub struct Unreadable<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<&'a str>,
    /// Of lost ones the first, where that is known.
    pub sequence: Option<u64>,
    /// Of lost ones the last.
    pub last_sequence: Option<u64>,
    pub kind: Option<&'a str>,
    pub kind_number: Option<u16>,
    /// `unknown`, `redacted`, `undecodable` or `lost`.
    pub what: &'static str,
    pub problem: String,
}
