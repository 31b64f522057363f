//! How an agent and its hooks stand, as `status` prints it.

use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct Agent {
    pub agent: String,
    /// The settings files that have its hooks; empty where none is installed.
    pub installed: Vec<Installed>,
    /// What `.annals/config.toml` says instead of the installed mode; `null`: nothing.
    pub gate: Option<String>,
    /// Why one could not be read.
    pub problems: Vec<String>,
    /// When a hook last fired here; `null`: never.
    pub last_fired: Option<String>,
    pub hooks: Vec<Hook>,
    /// How often a hook met a fault.
    pub faults: u64,
    /// How many hooks' events could not be recorded.
    pub not_recorded: u64,
    pub last_fault: Option<HookFault>,
    /// `null` where no transcript of it was found.
    pub coverage: Option<Coverage>,
    /// Calls that the gate denied.
    pub denied: u64,
    /// Calls that went on with the timeline given to the agent.
    pub advised: u64,
    /// Calls that ran although they had been denied.
    pub bypassed: u64,
    /// The newest of those.
    pub last_bypass: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Installed {
    pub path: String,
    /// `local`, `shared` or `user`.
    pub scope: String,
    /// `advise` or `enforce`.
    pub mode: String,
    /// Events that have one.
    pub events: Vec<String>,
    /// Events that have none, of those that this release installs.
    pub missing: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Hook {
    pub hook: String,
    pub fired: u64,
    pub last_at: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct HookFault {
    pub at: Option<String>,
    pub hook: String,
    pub what: String,
    /// What it had to record is not on record.
    pub not_recorded: bool,
}

/// Calls in transcripts against calls on record.
#[derive(Debug, Serialize)]
pub struct Coverage {
    /// Transcripts of this project's sessions that were found.
    pub transcripts: u64,
    /// Of them, those that were read: the newest, all with `--coverage`.
    pub read: u64,
    /// Different calls in them.
    pub calls: u64,
    /// Of those, how many are on record.
    pub recorded: u64,
}
