//! A user's own redaction pattern.

use serde::Deserialize;
use toml::Spanned;

/// A user's own redaction pattern.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    /// Stands in the marker `[REDACTED:name]`.
    pub name: String,
    /// In the syntax of the regex crate; a group named `secret` narrows what is taken out.
    pub regex: Spanned<String>,
}
