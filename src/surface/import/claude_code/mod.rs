//! Claude Code's session transcripts: JSON lines, appended by several writers at once.
//!
//! Calls are `tool_use` blocks of assistant records, results `tool_result` blocks of user records;
//! subagents' records lie in progress records or in files of their own. Nothing is trusted: any
//! field may be of another type, any line torn, glued or filled with NULs.

mod content;
mod loose;
pub(in crate::surface::import) mod pieces;
mod prompt;
mod read_record;
mod record;
mod sniff;
mod surrogates;
mod targets;
mod transcript;
mod verdict;

#[cfg(test)]
mod tests;

pub use loose::{Text, parsed};
pub use read_record::block_ids;
pub use sniff::{is_transcript, session_of};
pub use transcript::{Transcript, parse};

/// The agent's name in sessions and call keys.
pub const AGENT: &str = "claude-code";
