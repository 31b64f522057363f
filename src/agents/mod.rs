//! Agents' own transcripts, hooks and settings.

pub mod hook;
pub mod import;
pub mod settings;

/// An agent whose hooks are installed and answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Agent {
    ClaudeCode,
    Codex,
}

impl Agent {
    pub const ALL: [Self; 2] = [Self::ClaudeCode, Self::Codex];

    /// Its name on our command line, in sessions and call keys.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
    }

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

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.as_str() == name)
    }

    /// What its program is called.
    pub fn program(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude",
            Self::Codex => "codex",
        }
    }

    /// Variables of the environment that name the file in which the agent's shells read theirs.
    pub fn env_files(self) -> &'static [&'static str] {
        match self {
            Self::ClaudeCode => &["CLAUDE_ENV_FILE"],
            Self::Codex => &["CODEX_ENV_FILE", "CLAUDE_ENV_FILE"],
        }
    }

    /// The variable that names the folder in which the agent was started, wherever it went since.
    pub fn project_variable(self) -> Option<&'static str> {
        (self == Self::ClaudeCode).then_some("CLAUDE_PROJECT_DIR")
    }
}
