//! `.annals/config.toml`: a project's settings. What is not known is an error with its place.

mod consent;
mod contract;
mod debug;
mod durability;
pub mod environment;
mod error;
mod memory;
mod pattern;
mod phases;
mod policy;
mod quarantine;
mod repo;

use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use crate::enclosure;
use crate::event::GateMode;

pub use consent::{Effect, Setting};
pub use contract::Contract;
pub use debug::{ATTEMPTS_MAX, DebugConfig, DebugHooksConfig};
pub use durability::Durability;
pub use error::ConfigError;
pub use memory::{MemoryConfig, PressureThresholds};
pub use pattern::Pattern;
pub use phases::{DownloadMode, PhasesConfig};
pub use policy::PolicyConfig;
pub use quarantine::QuarantineConfig;
pub use repo::RepoConfig;

#[cfg(test)]
mod tests;

/// The file that `init` writes: every setting with what it does, all at their defaults.
pub const TEMPLATE: &str = include_str!("template.toml");
/// Settings are short; a larger file is something else.
const BYTES_MAX: u64 = 1 << 20;

/// A project's settings.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// This machine's label in new journals; the host's name where `None`.
    pub machine: Option<String>,
    pub contract: Contract,
    /// What the gate's verdicts do; where `None`, `enforce` in the library and the tool layer, and
    /// what an agent's hook was installed with.
    pub gate: Option<GateMode>,
    pub policy: PolicyConfig,
    pub memory: MemoryConfig,
    pub phases: PhasesConfig,
    pub repo: RepoConfig,
    pub debug: DebugConfig,
    pub journal: JournalConfig,
    pub quarantine: QuarantineConfig,
    pub redact: RedactConfig,
}

/// `[journal]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JournalConfig {
    pub durability: Durability,
}

/// `[redact]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RedactConfig {
    /// What to take out besides what the built-in rules know.
    pub patterns: Vec<Pattern>,
}

impl Config {
    /// Reads a project's settings; a missing file means the defaults. All of them: what needs consent
    /// is for the caller to withhold.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::parse(&Self::text(path)?, path)
    }

    /// The text of a project's settings, read once and through no link; none in a missing file.
    pub fn text(path: &Path) -> Result<String, ConfigError> {
        let read = |source| ConfigError::Read { path: path.to_owned(), source };
        let bytes = match enclosure::read(path, BYTES_MAX + 1) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(String::new()),
            bytes => bytes.map_err(read)?,
        };
        if bytes.len() as u64 > BYTES_MAX {
            return Err(ConfigError::NotSettings { path: path.to_owned() });
        }
        String::from_utf8(bytes)
            .map_err(|error| read(std::io::Error::new(ErrorKind::InvalidData, error)))
    }

    /// The settings in a text; `path` is named in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let before = &text.as_bytes()[..at];
            ConfigError::Parse {
                path: path.to_owned(),
                line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
                column: 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count(),
                reason: error.message().to_owned(),
            }
        })
    }
}
