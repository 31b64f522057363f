//! Sessions, as `sessions` prints them.

use serde::Serialize;

/// One session of an agent.
#[derive(Clone, Debug, Serialize)]
pub struct Session {
    pub session: String,
    pub agent: Option<String>,
    /// The agent's own name of it.
    pub native_id: Option<String>,
    pub title: Option<String>,
    pub model: Option<String>,
    pub cwd: Option<String>,
    /// Its first event, UTC.
    pub began: Option<String>,
    /// Its last event, UTC.
    pub last: Option<String>,
    pub ended: bool,
    pub executions: u64,
    pub failed: u64,
    pub prompts: u64,
}
