//! Which hook fired.

/// Which hook fired. Both agents use the same names for the same moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookName {
    PreToolUse,
    PostToolUse,
    /// Claude Code alone: Codex tells of failed calls by `PostToolUse`, without saying so.
    PostToolUseFailure,
    SessionStart,
    UserPromptSubmit,
    Stop,
    SubagentStop,
    /// Claude Code alone.
    SessionEnd,
    /// Recorded as having run, under its own name: `PreCompact`, `PostCompact`, `Notification`,
    /// `PermissionRequest`, `PermissionDenied`, `SubagentStart`, `StopFailure`, `TaskCreated`, and
    /// whatever else an agent comes up with.
    Other,
    /// Not even answered: of `WorktreeCreate` the agent takes the output for a path, and the
    /// others fire with every file or message.
    Ignored,
}

impl HookName {
    pub fn of(name: &str) -> Self {
        match name {
            "PreToolUse" => Self::PreToolUse,
            "PostToolUse" => Self::PostToolUse,
            "PostToolUseFailure" => Self::PostToolUseFailure,
            "SessionStart" => Self::SessionStart,
            "UserPromptSubmit" => Self::UserPromptSubmit,
            "Stop" => Self::Stop,
            "SubagentStop" => Self::SubagentStop,
            "SessionEnd" => Self::SessionEnd,
            "WorktreeCreate" | "FileChanged" | "MessageDisplay" | "InstructionsLoaded" => {
                Self::Ignored
            }
            _ => Self::Other,
        }
    }

    /// Whether the agent takes context for its model from this hook's answer.
    pub fn takes_context(self) -> bool {
        matches!(
            self,
            Self::PreToolUse
                | Self::PostToolUse
                | Self::PostToolUseFailure
                | Self::SessionStart
                | Self::UserPromptSubmit
        )
    }
}
