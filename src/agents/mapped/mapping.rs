//! A mapping file: TOML that names, by JSON pointers, what of a line is what.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::agents::SOURCES;
use crate::agents::import::growth;

/// A larger file is none.
const BYTES_MAX: u64 = 1 << 20;

/// Texts, numbers or truth values that a line has where it is of a kind.
pub type When = BTreeMap<Pointer, String>;

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// By whose name sessions and calls go.
    #[serde(deserialize_with = "agent")]
    pub agent: String,
    pub session: Option<Pointer>,
    pub time: Option<Pointer>,
    #[serde(default)]
    pub time_format: TimeFormat,
    pub cwd: Option<Pointer>,
    pub model: Option<Pointer>,
    /// Our names of its tools.
    #[serde(default)]
    pub tools: BTreeMap<String, String>,
    pub call: Option<Calls>,
    pub result: Option<Results>,
    pub prompt: Option<Texts>,
    pub message: Option<Texts>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeFormat {
    #[default]
    Rfc3339,
    UnixS,
    UnixMs,
}

/// Lines that are calls.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calls {
    #[serde(default)]
    pub when: When,
    pub id: Option<Pointer>,
    pub tool: Pointer,
    pub arguments: Option<Pointer>,
}

/// Lines that tell how calls ended; they may be the calls' own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    #[serde(default)]
    pub when: When,
    /// The call's id; the call's own pointer where it is not said.
    pub id: Option<Pointer>,
    pub output: Option<Pointer>,
    pub error: Option<Pointer>,
    pub exit_code: Option<Pointer>,
    pub success: Option<Pointer>,
    /// What stands for success, where that is a word.
    #[serde(default)]
    pub success_is: Vec<String>,
    pub duration_ms: Option<Pointer>,
    pub duration_s: Option<Pointer>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    #[serde(default)]
    pub when: When,
    pub text: Pointer,
}

/// A JSON pointer (RFC 6901).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer(String);

impl Pointer {
    pub fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        value.pointer(&self.0)
    }

    /// What stands there as text; nothing of an object or list.
    pub fn text(&self, value: &Value) -> Option<String> {
        as_text(self.of(value)?)
    }
}

pub fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

impl<'de> Deserialize<'de> for Pointer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        match text.is_empty() || text.starts_with('/') {
            true => Ok(Self(text)),
            false => Err(D::Error::custom(format_args!(
                "\"{text}\" is no JSON pointer: one begins with /, as \"/{text}\""
            ))),
        }
    }
}

fn agent<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > 64 || !name.chars().all(is_plain) {
        return Err(D::Error::custom("a name of up to 64 letters, digits, - _ and . is wanted"));
    }
    if SOURCES.iter().any(|source| source.name == name) {
        return Err(D::Error::custom(format_args!("{name} is the name of a source of its own")));
    }
    Ok(name)
}

#[derive(Debug, thiserror::Error)]
pub enum MappingError {
    #[error("{} cannot be read: name a file that says what of a line is what", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}:{line}: {key}{reason}", path.display())]
    Wrong { path: PathBuf, line: usize, key: Key, reason: String },
}

/// The key of a line; nothing where it has none.
#[derive(Debug)]
pub struct Key(Option<String>);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(key) => write!(f, "{key}: "),
            None => Ok(()),
        }
    }
}

impl Mapping {
    pub fn read(path: &Path) -> Result<Self, MappingError> {
        let read = |source| MappingError::Read { path: path.to_owned(), source };
        let mut text = String::new();
        let file = growth::open(path).map_err(read)?;
        file.take(BYTES_MAX).read_to_string(&mut text).map_err(read)?;
        Self::of(&text, path)
    }

    pub fn of(text: &str, path: &Path) -> Result<Self, MappingError> {
        let mapping: Self = toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            wrong(text, path, at, error.message().to_owned())
        })?;
        if mapping.call.is_none() && mapping.prompt.is_none() && mapping.message.is_none() {
            let reason = "none of [call], [prompt] and [message] is there: nothing would be read";
            return Err(wrong(text, path, text.len(), reason.to_owned()));
        }
        if mapping.result.is_some() && mapping.call.is_none() {
            let at = text.find("[result]").unwrap_or(0);
            let reason = "results without [call] are nobody's".to_owned();
            return Err(wrong(text, path, at, reason));
        }
        Ok(mapping)
    }
}

fn wrong(text: &str, path: &Path, at: usize, reason: String) -> MappingError {
    let before = text.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let words = text.lines().nth(line - 1).and_then(|it| it.split_once('='));
    let key = Key(words.map(|(key, _)| key.trim().to_owned()));
    MappingError::Wrong { path: path.to_owned(), line, key, reason }
}
