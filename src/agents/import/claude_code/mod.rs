//! Claude Code's session transcripts: JSON lines, appended by several writers at once.
//!
//! Calls are `tool_use` blocks of assistant records, results `tool_result` blocks of user records;
//! subagents' records lie in progress records or in files of their own. Nothing is trusted: any
//! field may be of another type, any line torn, glued or filled with NULs.

mod content;
mod hooked;
mod prompt;
mod read_record;
mod sniff;

#[cfg(test)]
mod tests;

use std::io::BufRead;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::transcript::{Dialect, Transcript};
use crate::agents::import::loose::{Flag, Loose, Number, Text, parsed};
use crate::agents::import::pieces::Grammar;
use content::Content;

pub use hooked::{hooked_call, hooked_result, prompt};
pub use read_record::{block_ids, read_record};
pub use sniff::{is_transcript, session_of};

/// The agent's name in sessions and call keys.
pub const AGENT: &str = "claude-code";

/// The items of a transcript.
pub fn parse<R: BufRead>(reader: R) -> Transcript<R> {
    Transcript::new(reader, Dialect::ClaudeCode)
}

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

/// The arguments that name a file or a folder, under every name the agent's tools use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Arguments<'a> {
    #[serde(borrow)]
    file_path: Text<'a>,
    #[serde(borrow)]
    notebook_path: Text<'a>,
    #[serde(borrow)]
    path: Text<'a>,
    #[serde(borrow)]
    prompt: Text<'a>,
}

/// Whether the agent's tool of this name starts a subagent.
pub fn starts_subagents(native_tool: &str) -> bool {
    matches!(native_tool, "Task" | "Agent")
}

/// What a call that starts a subagent asks of it.
pub fn task(native_tool: &str, arguments: &str) -> Option<String> {
    if !starts_subagents(native_tool) {
        return None;
    }
    parsed::<Loose<Arguments<'_>>>(arguments.as_bytes())?.0?.prompt.to_text()
}

/// The files and folders that a call's arguments name.
pub fn paths(arguments: &str) -> Vec<String> {
    let Some(Loose(Some(named))) = parsed::<Loose<Arguments<'_>>>(arguments.as_bytes()) else {
        return Vec::new();
    };
    let mut paths: Vec<String> = Vec::new();
    for path in [named.file_path, named.notebook_path, named.path].iter().flat_map(Text::to_text) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    paths
}

/// Whether the agent's tool of this name changes the file it is given.
pub fn changes_files(native_tool: &str) -> bool {
    matches!(native_tool, "Write" | "Edit" | "MultiEdit" | "NotebookEdit" | "Update")
}

/// How Claude Code begins its records, in every version seen.
pub const GRAMMAR: Grammar = Grammar {
    beginnings: &[
        "{\"parentUuid\":",
        "{\"type\":",
        "{\"sessionId\":",
        "{\"uuid\":",
        "{\"isSidechain\":",
        "{\"logicalParentUuid\":",
        "{\"leafUuid\":",
        "{\"summary\":",
    ],
    is_record,
};

/// Only records name their session, the message they snapshot, or the leaf they sum up.
fn is_record(bytes: &[u8]) -> bool {
    let mut records = serde_json::Deserializer::from_slice(bytes).into_iter::<Record<'_>>();
    let Some(Ok(record)) = records.next() else { return false };
    record.kind.as_deref().is_some()
        && (record.session_id.as_deref().is_some() || record.leaf_uuid.as_deref().is_some())
}
