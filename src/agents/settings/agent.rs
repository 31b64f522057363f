//! The agents whose hooks can be installed.

/// An agent whose hooks can be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Agent {
    ClaudeCode,
    Codex,
}

impl Agent {
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// Its name on our command line and in the journal.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

    /// Its name as people say it.
    pub fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
        }
    }

    /// The events whose hooks are installed, in the order of a session.
    pub fn events(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &[
                "SessionStart",
                "UserPromptSubmit",
                "PreToolUse",
                "PostToolUse",
                "PostToolUseFailure",
                "Notification",
                "PreCompact",
                "SubagentStop",
                "Stop",
                "SessionEnd",
            ],
            // An event that an older Codex does not know is ignored by it.
            Self::Codex => &[
                "SessionStart",
                "UserPromptSubmit",
                "PreToolUse",
                "PostToolUse",
                "PreCompact",
                "SubagentStop",
                "Stop",
                "SessionEnd",
            ],
        }
    }

    /// Seconds after which the agent gives up a hook of this event: an end imports what its transcript
    /// grew by. Codex lets nobody wait longer than three at a session's end, and warns at every start
    /// of whoever asks for more.
    pub fn timeout_s(self, event: &str) -> u32 {
        match (self, event) {
            (Self::Codex, "SessionEnd") => 3,
            _ => 60,
        }
    }
}
