//! A line of `go test -json`.

use serde::Deserialize;

/// A line of `go test -json`, as much of it as is looked at.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct GoEvent {
    pub action: String,
    #[serde(default)]
    pub package: String,
    pub test: Option<String>,
    pub output: Option<String>,
}
