//! One line of a transcript, as far as it is read; everything else is skipped over unparsed.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::content::Content;
use crate::agents::import::loose::{Flag, Loose, Number, Text};

/// One record. Fields that its type does not have are absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Record<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub uuid: Text<'a>,
    #[serde(borrow)]
    pub session_id: Text<'a>,
    #[serde(borrow)]
    pub timestamp: Text<'a>,
    #[serde(borrow)]
    pub cwd: Text<'a>,
    #[serde(borrow)]
    pub git_branch: Text<'a>,
    #[serde(borrow)]
    pub version: Text<'a>,
    pub is_sidechain: Flag,
    pub is_meta: Flag,
    pub is_compact_summary: Flag,
    #[serde(borrow)]
    pub agent_id: Text<'a>,
    #[serde(borrow)]
    pub message: Loose<Message<'a>>,
    #[serde(borrow)]
    pub tool_use_result: Option<&'a RawValue>,
    /// `summary` records.
    #[serde(borrow)]
    pub summary: Text<'a>,
    #[serde(borrow)]
    pub leaf_uuid: Text<'a>,
    #[serde(borrow)]
    pub custom_title: Text<'a>,
    #[serde(borrow)]
    pub ai_title: Text<'a>,
    /// `progress` records.
    #[serde(borrow)]
    pub data: Loose<Progress<'a>>,
    #[serde(rename = "parentToolUseID", borrow)]
    pub parent_tool_use_id: Text<'a>,
    /// `attachment` records.
    #[serde(borrow)]
    pub attachment: Loose<Attachment<'a>>,
}

/// What was said, and by which model.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Message<'a> {
    #[serde(borrow)]
    pub model: Text<'a>,
    #[serde(borrow)]
    pub content: Content<'a>,
}

/// What a running tool reported; a subagent reports its own records.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Progress<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub agent_id: Text<'a>,
    #[serde(borrow)]
    pub message: Loose<Embedded<'a>>,
}

/// A subagent's record inside a progress record.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Embedded<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub uuid: Text<'a>,
    #[serde(borrow)]
    pub timestamp: Text<'a>,
    #[serde(borrow)]
    pub message: Loose<Message<'a>>,
    #[serde(borrow)]
    pub tool_use_result: Option<&'a RawValue>,
}

/// Something that came with a prompt, or a prompt that waited for its turn.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Attachment<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub prompt: Content<'a>,
    #[serde(borrow)]
    pub command_mode: Text<'a>,
}

/// The agent's own account of a result, as far as it is read.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Account<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    #[serde(borrow)]
    pub stdout: Text<'a>,
    #[serde(borrow)]
    pub stderr: Text<'a>,
    #[serde(borrow)]
    pub file_path: Text<'a>,
    #[serde(borrow)]
    pub agent_id: Text<'a>,
    pub interrupted: Flag,
    pub duration_ms: Number,
    pub total_duration_ms: Number,
    pub duration_seconds: Number,
}

impl Account<'_> {
    /// How long the call took, where the agent says so.
    pub fn duration_ms(&self) -> Option<u64> {
        self.duration_ms
            .to_ms(1.0)
            .or_else(|| self.total_duration_ms.to_ms(1.0))
            .or_else(|| self.duration_seconds.to_ms(1000.0))
    }
}
