//! What an execution was about, in one line.

use serde::Deserialize;

use super::diagnostic::cut;
use crate::event::ExecutionStarted;

/// Bytes of the line that the index keeps.
const LINE_BYTES_MAX: usize = 400;

/// The arguments that say what a call is about, under the names that agents give them.
#[derive(Default, Deserialize)]
struct About {
    #[serde(default)]
    command: Option<Told>,
    #[serde(default)]
    pattern: Option<Told>,
    #[serde(default)]
    query: Option<Told>,
    #[serde(default)]
    url: Option<Told>,
    #[serde(default)]
    description: Option<Told>,
}

/// A text, or a command's words.
#[derive(Deserialize)]
#[serde(untagged)]
enum Told {
    Text(String),
    Words(Vec<String>),
    Other(serde::de::IgnoredAny),
}

/// The command, else the first path or symbol, else the pattern, query, address or description.
pub(super) fn target(started: &ExecutionStarted) -> Option<String> {
    // Arguments of any other shape have nothing of the kind to tell.
    let about: About = serde_json::from_str(&started.arguments.0).unwrap_or_default();
    let named = || started.paths.first().or(started.symbols.first()).cloned();
    let told = told(about.command)
        .or_else(named)
        .or_else(|| told(about.pattern))
        .or_else(|| told(about.query))
        .or_else(|| told(about.url))
        .or_else(|| told(about.description))?;
    Some(cut(&told, LINE_BYTES_MAX).to_owned())
}

fn told(told: Option<Told>) -> Option<String> {
    match told? {
        Told::Text(text) => Some(text),
        Told::Words(words) => Some(words.join(" ")),
        Told::Other(_) => None,
    }
}
