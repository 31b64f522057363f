//! `[policy]`: what the gate judges by.

use serde::Deserialize;

/// `[policy]`: what the gate judges by.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolicyConfig {
    /// How long a read of the timeline holds, milliseconds, inclusive (ruling 6). Through hooks it
    /// holds until the session's next failure, where that is longer.
    pub window_ms: u64,
    /// Refuse an action whose newest run with the same arguments failed not longer ago than this,
    /// seconds, where nothing was changed since; 0: never.
    pub refuse_repeated_within_s: u64,
    /// In a failure loop, refuse a mutation until the failure was read.
    pub read_failure_loops: bool,
    /// Shell commands that write (redirections, `sed -i`, `tee`, `mv`, `git apply`) are mutations.
    pub shell_mutations: bool,
    /// Beginnings of shell commands that are checks, besides the known ones.
    pub checks: Vec<String>,
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self {
            window_ms: 10_000,
            refuse_repeated_within_s: 0,
            read_failure_loops: false,
            shell_mutations: false,
            checks: Vec::new(),
        }
    }
}
