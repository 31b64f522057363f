//! `.annals/config.toml`: a project's settings. What is not known is an error with its place.

mod checks;
mod consent;
pub mod environment;
mod tables;
mod user;

#[cfg(test)]
mod tests;

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, Deserializer, Error};

use crate::event::GateMode;

pub use crate::redact::Pattern;
pub use checks::{OwnCheck, OwnMatcher};
pub use consent::Setting;
pub use tables::{
    ATTEMPTS_MAX, Contract, DebugConfig, DebugHooksConfig, DownloadMode, Durability, JournalConfig,
    MemoryConfig, PhasesConfig, PolicyConfig, QuarantineConfig, RecordConfig, RedactConfig,
    RepoConfig,
};
pub use user::{CheckpointConfig, Prices, UserConfig, user_config_path};

/// The file that `init` writes: every setting with what it does, all at their defaults.
pub const TEMPLATE: &str = include_str!("template.toml");
/// Settings are short; a larger file is something else.
pub const BYTES_MAX: u64 = 1 << 20;

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
    pub record: RecordConfig,
    pub quarantine: QuarantineConfig,
    pub redact: RedactConfig,
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
    /// All settings in a file of these bytes, none of them withheld: what needs consent is for the caller
    /// to withhold.
    pub fn of_bytes(bytes: Vec<u8>, path: &Path) -> Self {
        let mut faults = Vec::new();
        let text = String::from_utf8(bytes).unwrap_or_else(|error| {
            let at = error.utf8_error().valid_up_to();
            faults.push(ConfigError::at(path, error.as_bytes(), at, "it is not UTF-8".to_owned()));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        });
        let (config, found) = read(&text);
        let told = |it: Fault| ConfigError::at(path, text.as_bytes(), it.at, it.reason);
        faults.extend(found.into_iter().map(told));
        Self { config, faults, text, owner: None }
    }
}

/// What is told of one file.
const FAULTS_MAX: usize = 20;

/// What is wrong with a text, and where in it.
struct Fault {
    pub at: usize,
    pub reason: String,
}

/// The settings in a text that can be used, and what is wrong with the others; none where every one can.
fn read(text: &str) -> (Config, Vec<Fault>) {
    // Most projects' settings are what `init` wrote, and every hook reads them.
    if is_as_made(text) {
        return (Config::default(), Vec::new());
    }
    if let Ok(config) = toml::from_str(text) {
        return (config, Vec::new());
    }
    let mut found = Found { faults: Vec::new() };
    let (text, mut is_gate_lost) = found.lines_of_toml(text);
    // What is no TOML now is told already, or more than is told of one file.
    let table = DeTable::parse_recoverable(&text).0.into_inner();
    let has_gate = table.contains_key("gate");
    let kept = found.kept(table, &[]);
    is_gate_lost |= has_gate && !kept.contains_key("gate");
    let config = Config::deserialize(Deserializer::from(spanned(kept)));
    // Each was tried by itself, and none of them says what another may be.
    let mut config = config.unwrap_or_else(|error| {
        found.tell(&error);
        Config::default()
    });
    // What is said of the gate and cannot be read may be the strictest.
    config.gate = if is_gate_lost { Some(GateMode::Enforce) } else { config.gate };
    (config, found.faults)
}

fn is_as_made(text: &str) -> bool {
    let made = TEMPLATE.split_once("{contract}");
    made.and_then(|(head, tail)| text.strip_prefix(head)?.strip_suffix(tail)) == Some("open")
}

struct Found {
    faults: Vec<Fault>,
}

impl Found {
    fn tell(&mut self, error: &Error) {
        if self.faults.len() < FAULTS_MAX {
            let at = error.span().map_or(0, |Range { start, .. }| start);
            self.faults.push(Fault { at, reason: error.message().to_owned() });
        }
    }

    /// The text with blanks in the place of each line that is no TOML, so that places in it stay what they
    /// were; and whether such a line begins as the gate's does.
    fn lines_of_toml(&mut self, text: &str) -> (String, bool) {
        let (mut bytes, mut has_gate) = (text.as_bytes().to_vec(), false);
        for _ in 0..FAULTS_MAX {
            let text = String::from_utf8_lossy(&bytes);
            let Err(error) = DeTable::parse(&text) else { break };
            self.tell(&error);
            let at = error.span().map_or(0, |span| span.start).min(text.len());
            let start = text.as_bytes()[..at].iter().rposition(|&byte| byte == b'\n');
            let start = start.map_or(0, |end| end + 1);
            let length = text.as_bytes()[start..].iter().take_while(|&&byte| byte != b'\n').count();
            let line = start..start + length;
            has_gate |= text.as_bytes()[line.clone()].trim_ascii_start().starts_with(b"gate");
            drop(text);
            bytes[line].fill(b' ');
        }
        (String::from_utf8_lossy(&bytes).into_owned(), has_gate)
    }

    /// What of a table can be used; `above` are the names of the tables that it lies in.
    fn kept<'t>(&mut self, table: DeTable<'t>, above: &[Spanned<Name<'t>>]) -> DeTable<'t> {
        let mut kept = DeTable::new();
        for (name, value) in table {
            let span = value.span();
            let value = match value.into_inner() {
                DeValue::Table(inner) => {
                    // A table that is not known is one fault, whatever it holds.
                    let empty = DeValue::Table(DeTable::new());
                    if !self.is_usable(above, &name, Spanned::new(span.clone(), empty)) {
                        continue;
                    }
                    let above: Vec<_> = above.iter().cloned().chain([name.clone()]).collect();
                    DeValue::Table(self.kept(inner, &above))
                }
                DeValue::Array(list) if list.iter().any(|it| it.get_ref().is_table()) => {
                    let mut usable = DeArray::new();
                    for one in list {
                        let mut alone = DeArray::new();
                        alone.push(one.clone());
                        let alone = Spanned::new(one.span(), DeValue::Array(alone));
                        if self.is_usable(above, &name, alone) {
                            usable.push(one);
                        }
                    }
                    DeValue::Array(usable)
                }
                value => {
                    if !self.is_usable(above, &name, Spanned::new(span.clone(), value.clone())) {
                        continue;
                    }
                    value
                }
            };
            kept.insert(name, Spanned::new(span, value));
        }
        kept
    }

    /// Whether one setting can be used; tells what is wrong with it where not.
    fn is_usable<'t>(
        &mut self,
        above: &[Spanned<Name<'t>>],
        name: &Spanned<Name<'t>>,
        value: Spanned<DeValue<'t>>,
    ) -> bool {
        let span = value.span();
        let mut whole = DeTable::new();
        whole.insert(name.clone(), value);
        for name in above.iter().rev() {
            let inner = Spanned::new(span.clone(), DeValue::Table(whole));
            whole = DeTable::new();
            whole.insert(name.clone(), inner);
        }
        let tried = Config::deserialize(Deserializer::from(spanned(whole)));
        tried.map_err(|error| self.tell(&error)).is_ok()
    }
}

type Name<'t> = toml::de::DeString<'t>;

fn spanned(table: DeTable<'_>) -> Spanned<DeTable<'_>> {
    Spanned::new(0..0, table)
}

/// What can be wrong with a project's settings.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{} could not be read", path.display())]
    Read { path: PathBuf, source: Arc<io::Error> },
    #[error("{} is not a settings file: not a regular file of at most 1 MiB", path.display())]
    NotSettings { path: PathBuf },
    #[error("{} belongs to another user", path.display())]
    NotOwn { path: PathBuf },
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Parse { path: PathBuf, line: usize, column: usize, reason: String },
}

impl ConfigError {
    /// Which file, and where in it: nothing of what it holds.
    pub fn place(&self) -> String {
        match self {
            Self::Read { path, .. } | Self::NotSettings { path } | Self::NotOwn { path } => {
                path.display().to_string()
            }
            Self::Parse { path, line, column, .. } => format!("{}:{line}:{column}", path.display()),
        }
    }

    /// What is wrong at this byte of a file.
    pub fn at(path: &Path, text: &[u8], at: usize, reason: String) -> Self {
        let before = &text[..at.min(text.len())];
        Self::Parse {
            path: path.to_owned(),
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count(),
            reason,
        }
    }
}
