//! What an installed hook does with the gate's verdicts.

use std::fmt;

/// What an installed hook does with the gate's verdicts, where the project's settings say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A stale mutation is noted and nothing else. Never installed, but a person may write it.
    Observe,
    /// A stale mutation passes, and the agent is given the timeline.
    Advise,
    /// It is denied.
    Enforce,
}

impl Mode {
    /// Its word, as in `.annals/config.toml`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Observe => "observe",
            Self::Advise => "advise",
            Self::Enforce => "enforce",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
