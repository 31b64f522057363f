//! Claude Code's session transcripts: JSON lines, appended by several writers at once.
//!
//! Calls are `tool_use` blocks of assistant records, results `tool_result` blocks of user records;
//! subagents' records lie in progress records or in files of their own. Nothing is trusted: any
//! field may be of another type, any line torn, glued or filled with NULs.

mod arguments;
mod background;
mod content;
mod hooks;
mod messages;
mod read_record;
mod unread;

use std::io::BufRead;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::agents::Facts;
use crate::agents::import::Growing;
use crate::agents::import::item::{Compaction, Part, TranscriptRecord};
use crate::agents::import::log_source::{LogSource, Reads};
use crate::agents::import::loose::{Flag, Loose, Number, Text, parsed};
use crate::agents::import::odd::Stamp;
use crate::agents::import::transcript::{Dialect, Grammar, Transcript, holds_record};
use content::Content;

pub use arguments::{changes_files, paths, task};
pub use content::{hooked_call, hooked_result, prompt};
#[cfg(test)]
pub use hooks::sessions_folder;
pub use messages::block_ids;
use messages::{CompactMetadata, Message};
pub use read_record::read_record;

pub const SOURCE: LogSource = LogSource {
    name: "claude-code",
    title: "Claude Code",
    also: Some("claude"),
    endings: &[".jsonl"],
    is_of: |beginning| is_transcript(beginning.head),
    reads: Reads::Lines(dialect),
    began_ms: None,
    session_of: Some(session_of),
    untimed: false,
};

fn dialect() -> Box<dyn Dialect> {
    Box::<ClaudeCode>::default()
}

pub const FACTS: Facts = Facts {
    source: &SOURCE,
    program: "claude",
    events: &[
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
    end_s: 60,
    env_files: &["CLAUDE_ENV_FILE"],
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    folder: ("CLAUDE_CONFIG_DIR", ".claude"),
    settings: (Some(".claude/settings.local.json"), ".claude/settings.json", "settings.json"),
    names_session: true,
    dialect,
    past_sessions: hooks::past_sessions,
    prompt,
    call: hooks::call,
    result: hooks::result,
    notes: hooks::notes,
};

#[derive(Debug, Default)]
struct ClaudeCode {
    growing: Growing,
    /// A boundary whose summary is still to come, and its line.
    boundary: Option<(u64, Compaction)>,
}

impl Dialect for ClaudeCode {
    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn record(&mut self, number: u64, bytes: &[u8], out: &mut Vec<TranscriptRecord>) -> bool {
        let Some(record) = parsed::<Record<'_>>(bytes) else { return false };
        let mut read = read_record(number, &record);
        read.parts.extend(self.compacted(number, &record).map(Part::Compacted));
        self.growing.take(read, bytes.len(), out);
        true
    }

    fn end(&mut self, out: &mut Vec<TranscriptRecord>) {
        self.growing.end(out);
    }

    fn held_from(&self) -> Option<u64> {
        let boundary = self.boundary.as_ref().map(|(line, _)| *line);
        boundary.into_iter().chain(self.growing.held_from()).min()
    }
}

pub fn parse<R: BufRead>(reader: R) -> Transcript<R> {
    Transcript::new(reader, dialect())
}

/// One record. Fields that its type does not have are absent.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Record<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    pub uuid: Text<'a>,
    pub session_id: Text<'a>,
    pub timestamp: Stamp<'a>,
    pub cwd: Text<'a>,
    pub git_branch: Text<'a>,
    pub version: Text<'a>,
    pub is_sidechain: Flag,
    pub is_meta: Flag,
    pub is_compact_summary: Flag,
    /// Of a line that was rebuilt from a journal: what a prompt is known by there.
    pub annals_id: Text<'a>,
    /// `system` records.
    pub subtype: Text<'a>,
    pub compact_metadata: Loose<CompactMetadata<'a>>,
    pub agent_id: Text<'a>,
    pub message: Loose<Message<'a>>,
    pub tool_use_result: Option<&'a RawValue>,
    /// `summary` records.
    pub summary: Text<'a>,
    pub leaf_uuid: Text<'a>,
    pub custom_title: Text<'a>,
    pub ai_title: Text<'a>,
    /// `progress` records.
    pub data: Loose<Progress<'a>>,
    #[serde(rename = "parentToolUseID")]
    pub parent_tool_use_id: Text<'a>,
    /// `attachment` records.
    pub attachment: Loose<Attachment<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Progress<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    pub agent_id: Text<'a>,
    pub message: Loose<Embedded<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Embedded<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    pub uuid: Text<'a>,
    pub timestamp: Stamp<'a>,
    pub message: Loose<Message<'a>>,
    pub tool_use_result: Option<&'a RawValue>,
}

/// Something that came with a prompt, or a prompt that waited for its turn.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Attachment<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    pub prompt: Content<'a>,
    pub command_mode: Text<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Account<'a> {
    #[serde(rename = "type", borrow)]
    pub kind: Text<'a>,
    pub stdout: Text<'a>,
    pub stderr: Text<'a>,
    pub file_path: Text<'a>,
    pub agent_id: Text<'a>,
    pub background_task_id: Text<'a>,
    /// Of a read of what a command in the background printed.
    pub shell_id: Text<'a>,
    pub status: Text<'a>,
    #[serde(alias = "exit_code")]
    pub exit_code: Number,
    pub task: Loose<Task<'a>>,
    pub interrupted: Flag,
    pub duration_ms: Number,
    pub duration_seconds: Number,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Task<'a> {
    #[serde(borrow)]
    pub task_type: Text<'a>,
    pub output: Text<'a>,
    #[serde(rename = "exitCode")]
    pub exit_code: Number,
}

impl Account<'_> {
    /// A subagent's `totalDurationMs` is no measure: it holds the time in which it waited for a person.
    pub fn duration_ms(&self) -> Option<u64> {
        self.duration_ms.to_ms(1.0).or_else(|| self.duration_seconds.to_ms(1000.0))
    }
}

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

/// The record types of which one at least stands at the beginning of every transcript.
const KINDS: &[&str] = &[
    "user",
    "assistant",
    "system",
    "summary",
    "progress",
    "attachment",
    "file-history-snapshot",
    "queue-operation",
    "custom-title",
    "ai-title",
    "last-prompt",
    "permission-mode",
];

pub fn is_transcript(head: &[u8]) -> bool {
    let has_keys = |text: &str| {
        text.contains("\"sessionId\":") && text.contains("\"type\":") && text.contains("\"uuid\":")
            || text.contains("\"isSidechain\":")
    };
    holds_record(head, &GRAMMAR, is_known, has_keys)
}

pub fn session_of(head: &[u8]) -> Option<String> {
    head.split(|&byte| byte == b'\n').find_map(|line| {
        let record: Record<'_> = parsed(line)?;
        record.session_id.to_text()
    })
}

fn is_known(bytes: &[u8]) -> bool {
    let Some(record) = parsed::<Record<'_>>(bytes) else { return false };
    let known = record.kind.as_deref().is_some_and(|kind| KINDS.contains(&kind));
    let said = record.session_id.as_deref().or(record.leaf_uuid.as_deref()).is_some();
    known && (said || record.kind.as_deref() == Some("file-history-snapshot"))
}

#[cfg(test)]
mod tests;
