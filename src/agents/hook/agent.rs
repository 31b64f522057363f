//! The agents whose hooks are answered.

/// An agent whose hooks are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookAgent {
    ClaudeCode,
    Codex,
}

impl HookAgent {
    /// All of them, as the command line names them.
    pub const NAMES: [&str; 2] = ["claude-code", "codex"];

    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "claude-code" => Some(Self::ClaudeCode),
            "codex" => Some(Self::Codex),
            _ => None,
        }
    }

    /// Its name in sessions and call keys: the importer's.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
        }
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
