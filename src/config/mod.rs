//! `.annals/config.toml`: a project's settings. What is not known is an error with its place.

mod consent;
mod contract;
mod debug;
mod durability;
pub mod environment;
mod error;
mod leniently;
mod memory;
mod pattern;
mod phases;
mod policy;
mod quarantine;
mod repo;

use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde::Deserialize;

use crate::event::GateMode;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

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

/// A project's settings as they were read: each counts by itself.
#[derive(Clone, Debug, Default)]
pub struct ConfigRead {
    /// As it is in the file; what is no UTF-8 in it is replaced.
    pub text: String,
    /// What can be used; where something cannot, its default.
    pub config: Config,
    /// What cannot, and where; at most twenty of them.
    pub faults: Vec<ConfigError>,
    /// Whose file it is, where neither this user's nor root's: who can change it at any time.
    pub owner: Option<u32>,
}

impl ConfigRead {
    /// Reads a project's settings, once and through no link; a missing file means the defaults. All of
    /// them: what needs consent is for the caller to withhold.
    pub fn of(path: &Path) -> Self {
        match bytes(path) {
            Ok((bytes, owner)) => Self { owner, ..Self::of_bytes(bytes, path) },
            Err(fault) => Self { faults: vec![fault], ..Self::default() },
        }
    }

    fn of_bytes(bytes: Vec<u8>, path: &Path) -> Self {
        let mut faults = Vec::new();
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let at = error.utf8_error().valid_up_to();
            faults.push(ConfigError::at(path, error.as_bytes(), at, "it is not UTF-8".to_owned()));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        let (config, found) = leniently::read(&text);
        let told = |it: leniently::Fault| ConfigError::at(path, text.as_bytes(), it.at, it.reason);
        faults.extend(found.into_iter().map(told));
        Self { config, faults, text, owner: None }
    }
}

/// The bytes of a project's settings, and the other user whose they are; none in a missing file.
fn bytes(path: &Path) -> Result<(Vec<u8>, Option<u32>), ConfigError> {
    let failed =
        |source: io::Error| ConfigError::Read { path: path.to_owned(), source: source.into() };
    let file = match enclosure::open(path, OpenHow::Read) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Vec::new(), None)),
        file => file.map_err(failed)?,
    };
    let owner = file.metadata().map_err(failed)?.uid();
    let mut bytes = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 > BYTES_MAX {
        true => Err(ConfigError::NotSettings { path: path.to_owned() }),
        false => Ok((bytes, Some(owner).filter(|it| !enclosure::owners().contains(it)))),
    }
}
