//! What a map has no room for.

use serde::{Deserialize, Serialize};

/// What a map has no room for, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    pub folders: u64,
    /// Files that define something.
    pub outlines: u64,
    /// Files that were not read: larger than is read, no text, or unreadable.
    pub unread: u64,
}
