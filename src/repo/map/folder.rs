//! A folder of a repository, in short.

use serde::{Deserialize, Serialize};

/// A folder of a repository, in short.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MappedFolder {
    /// From the top, with `/`; the top itself is `.`.
    pub path: String,
    /// In it and below it.
    pub files: u64,
    /// What they are written in, most files first; files of no known language are in none.
    pub languages: Vec<LanguageCount>,
}

/// How many files are written in a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LanguageCount {
    pub language: String,
    pub files: u64,
}
