//! Claude Code's session transcripts: JSON lines, appended by several writers at once.
//!
//! Calls are `tool_use` blocks of assistant records, results `tool_result` blocks of user records;
//! subagents' records lie in progress records or in files of their own. Nothing is trusted: any
//! field may be of another type, any line torn, glued or filled with NULs.

mod content;
mod grammar;
mod hooked;
mod prompt;
mod read_record;
mod record;
mod sniff;
mod targets;
mod verdict;

#[cfg(test)]
mod tests;

use std::io::BufRead;

use super::transcript::{Dialect, Transcript};

pub use grammar::GRAMMAR;
pub use hooked::{hooked_call, hooked_result, prompt};
pub use read_record::{block_ids, read_record};
pub use record::Record;
pub use sniff::{is_transcript, session_of};

/// The agent's name in sessions and call keys.
pub const AGENT: &str = "claude-code";

/// The items of a transcript.
pub fn parse<R: BufRead>(reader: R) -> Transcript<R> {
    Transcript::new(reader, Dialect::ClaudeCode)
}
