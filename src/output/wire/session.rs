//! Sessions, as `sessions` prints them.

use serde::Serialize;

/// One session of an agent.
#[derive(Clone, Debug, Serialize)]
pub struct Session {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub session: String,
    pub agent: Option<String>,
    /// The agent's own name of it.
    pub native_id: Option<String>,
    /// Its title, else the beginning of its first prompt.
    pub title: Option<String>,
    pub model: Option<String>,
    pub parent: Option<String>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    /// Its first event, UTC.
    pub began: Option<String>,
    /// Its last event, UTC.
    pub last: Option<String>,
    pub ended: bool,
    pub prompts: u64,
    /// Executions, open ones included, corrected ones counted by their correction.
    pub calls: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
}
