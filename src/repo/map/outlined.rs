//! A file of a repository, and what it defines.

use serde::{Deserialize, Serialize};

/// A file, and what it defines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutlinedFile {
    /// From the top, with `/`.
    pub path: String,
    pub language: String,
    /// `fn main`, `class Cart`: in the file's order.
    pub definitions: Vec<String>,
    /// Definitions that are not told.
    pub more: u64,
}
