//! What an agent tells a hook on its standard input.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::import::loose::{Flag, Number, Text};

/// What an agent tells a hook. Every field is optional, a field of another type reads as absent,
/// and what is not named here is passed over: agents add fields with every version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct HookInput<'a> {
    #[serde(borrow)]
    pub hook_event_name: Text<'a>,
    #[serde(borrow)]
    pub session_id: Text<'a>,
    #[serde(borrow)]
    pub transcript_path: Text<'a>,
    #[serde(borrow)]
    pub cwd: Text<'a>,
    #[serde(borrow)]
    pub model: Text<'a>,
    /// The subagent that the hook fired for.
    #[serde(borrow)]
    pub agent_id: Text<'a>,

    // PreToolUse, PostToolUse, PostToolUseFailure
    #[serde(borrow)]
    pub tool_name: Text<'a>,
    #[serde(borrow)]
    pub tool_use_id: Text<'a>,
    #[serde(borrow)]
    pub tool_input: Option<&'a RawValue>,
    /// Claude Code: an object of the tool's own shape; Codex: the output's text.
    #[serde(borrow)]
    pub tool_response: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error: Text<'a>,
    pub is_interrupt: Flag,
    pub duration_ms: Number,

    // SessionStart, SessionEnd
    /// `startup`, `resume`, `clear`, `compact`
    #[serde(borrow)]
    pub source: Text<'a>,
    #[serde(borrow)]
    pub reason: Text<'a>,

    // UserPromptSubmit
    #[serde(borrow)]
    pub prompt: Text<'a>,

    // Stop, SubagentStop
    /// This stop follows one that a hook refused.
    pub stop_hook_active: Flag,
    #[serde(borrow)]
    pub last_assistant_message: Text<'a>,
    #[serde(borrow)]
    pub agent_transcript_path: Text<'a>,

    // The rest: what happened, in the hook's own word.
    #[serde(borrow)]
    pub trigger: Text<'a>,
    #[serde(borrow)]
    pub notification_type: Text<'a>,
}

impl HookInput<'_> {
    /// The hook's own name, cut to what a name can be.
    pub fn name(&self) -> &str {
        const NAME_BYTES_MAX: usize = 64;
        let name = self.hook_event_name.as_deref().unwrap_or_default();
        &name[..name.floor_char_boundary(NAME_BYTES_MAX)]
    }

    /// The tool's arguments as JSON.
    pub fn arguments(&self) -> &str {
        self.tool_input.map_or("{}", RawValue::get)
    }
}
