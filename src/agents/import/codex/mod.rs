//! OpenAI Codex's session rollouts: JSON lines `{timestamp, ordinal?, type, payload}`.
//!
//! Calls and results are `response_item` lines and belong together by `call_id`. What an `event_msg`
//! line says of the same call (its exit code, its duration, the files it changed) is added to its
//! result; where no call bears its id (what a script ran, what the user ran), it is a call of its
//! own. The oldest rollouts have bare items without time, after a bare first line. A fork begins
//! with a copy of what it was forked from. Nothing is trusted: any field may be of another type, any
//! line torn, glued or filled with NULs.

mod arguments;
mod call;
mod call_id;
mod content;
mod ended;
mod grammar;
mod held;
mod home;
mod hooked;
mod item;
mod line;
mod output;
mod patch;
mod payload;
mod prompt;
mod prompts;
mod result;
mod rollout;
mod running;
mod session;
mod shell;
mod sniff;
mod verdict;

#[cfg(test)]
mod tests;

use std::io::BufRead;

use super::transcript::{Dialect, Transcript};

pub use arguments::{Aim, aim};
pub use call_id::scope;
pub use grammar::GRAMMAR;
pub use home::{home, past_sessions};
pub use hooked::{hooked_call, hooked_print, hooked_result, printed_result};
pub use rollout::Rollout;
pub use sniff::{Beginning, beginning, is_rollout};

/// The agent's name in sessions and call keys.
pub const AGENT: &str = "codex";

/// The items of a rollout.
pub fn parse<R: BufRead>(reader: R) -> Transcript<R> {
    Transcript::new(reader, Dialect::Codex(Box::default()))
}
