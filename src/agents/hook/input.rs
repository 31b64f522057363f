//! What an agent tells a hook on its standard input.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::InputError;
use crate::agents::import::ImportError;
use crate::agents::import::loose::{Flag, Number, Text};
use crate::event::Sequence;
use crate::grounding::agents::GoneAgentError;
use crate::grounding::gate::GateError;
use crate::journal::tlog::SignError;
use crate::journal::{ProjectError, RecordError, is_unwritable};
use crate::repo::step_summary::SummaryError;

/// What an agent tells a hook. Every field is optional, a field of another type reads as absent,
/// and what is not named here is passed over: agents add fields with every version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct HookInput<'a> {
    #[serde(borrow)]
    pub hook_event_name: Text<'a>,
    pub session_id: Text<'a>,
    pub transcript_path: Text<'a>,
    pub cwd: Text<'a>,
    pub model: Text<'a>,
    pub agent_id: Text<'a>,

    // PreToolUse, PostToolUse, PostToolUseFailure
    pub tool_name: Text<'a>,
    pub tool_use_id: Text<'a>,
    pub tool_input: Option<&'a RawValue>,
    /// Claude Code: an object of the tool's own shape; Codex: the output's text.
    pub tool_response: Option<&'a RawValue>,
    pub error: Text<'a>,
    pub is_interrupt: Flag,
    pub duration_ms: Number,

    // SessionStart, SessionEnd
    /// `startup`, `resume`, `clear`, `compact`
    pub source: Text<'a>,
    pub reason: Text<'a>,

    // UserPromptSubmit
    pub prompt: Text<'a>,

    // Stop, SubagentStop
    /// This stop follows one that a hook refused.
    pub stop_hook_active: Flag,
    pub last_assistant_message: Text<'a>,
    pub agent_transcript_path: Text<'a>,

    // The rest: what happened, in the hook's own word.
    pub trigger: Text<'a>,
    pub notification_type: Text<'a>,
}

impl HookInput<'_> {
    /// The hook's own name, cut to what a name can be.
    pub fn name(&self) -> &str {
        const NAME_BYTES_MAX: usize = 64;
        let name = self.hook_event_name.as_deref().unwrap_or_default();
        &name[..name.floor_char_boundary(NAME_BYTES_MAX)]
    }

    pub fn arguments(&self) -> &str {
        self.tool_input.map_or("{}", RawValue::get)
    }
}

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

#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("it names no {field}")]
    Missing { field: &'static str },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error("what happened is not on record")]
    NotRecorded(#[from] RecordError),
    #[error(transparent)]
    Summary(#[from] SummaryError),
    #[error("the gate does not know what happened before")]
    Gate(#[from] GateError),
    #[error(transparent)]
    Gone(#[from] GoneAgentError),
    #[error("the transcript was not read")]
    Import(#[from] ImportError),
    #[error("{file} was not read as the transcript: {reason}")]
    NoTranscript { file: String, reason: String },
    #[error(
        "{bytes} bytes of {file} are left for the next hook, or an import: it is more than one reads \
         at once"
    )]
    TranscriptLeft { file: String, bytes: u64 },
    #[error("{} could not be written: commands in the agent's shell are not of its session", path.display())]
    EnvFile { path: std::path::PathBuf, source: std::io::Error },
    /// Its place alone: an agent hears it, and what the file holds may be anybody's word.
    #[error("{place}: what cannot be used there is left out, the rest of the settings holds")]
    Settings { place: String },
    #[error(
        "call {call} was told again with other arguments: the first stands, this one is not on record"
    )]
    ToldOtherwise { call: String },
    #[error("the journal had lost something, which is on record now: {what}")]
    LossRecorded { what: String },
    #[error("the journal is damaged: {what}; answers may lack what it held")]
    Damaged { what: String },
    #[error("the journal is not the one that was seen. It was {what}")]
    NotTheSeen { what: String },
    #[error("no checkpoint was signed")]
    Checkpoint(#[from] SignError),
    #[error("it could not be noted that this project is to be sent off the machine")]
    Waiting(#[source] std::io::Error),
    #[error("a fault of this build")]
    Panicked,
}

impl HookError {
    /// The journal's last event, where others were faster and the call was not recorded therefore.
    pub fn overtaken(&self) -> Option<Sequence> {
        match self {
            Self::NotRecorded(error) => error.overtaken(),
            _ => None,
        }
    }

    /// Whether something that happened is missing from the journal by it.
    pub fn lost_something(&self) -> bool {
        !matches!(
            self,
            Self::EnvFile { .. }
                | Self::Gate(_)
                | Self::Summary(_)
                | Self::Gone(_)
                | Self::TranscriptLeft { .. }
                | Self::Settings { .. }
        ) && !self.is_of_journal()
    }

    /// Whether every hook meets it until somebody mends it.
    pub fn stands(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::NotTheSeen { .. }) || is_unwritable(self)
    }

    /// Whether it tells how the journal is, whatever the hook did.
    pub fn is_of_journal(&self) -> bool {
        matches!(self, Self::LossRecorded { .. } | Self::Damaged { .. } | Self::NotTheSeen { .. })
    }
}

pub type Result<T, E = HookError> = std::result::Result<T, E>;
