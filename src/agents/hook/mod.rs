//! Agents' hooks: one program answers them all, always with exit code 0.
//!
//! A hook that fails must not stop an agent, and one that lies must not mislead it: whatever goes
//! wrong is told to the user (`systemMessage`) and kept for `annals status`
//! (`command::HookLog`). Where there is no journal nothing is said at all.

mod agent;
mod answer;
mod env_file;
mod error;
mod firing;
mod input;
mod known;
mod last_words;
mod name;
mod output;
mod post_tool_use;
mod pre_tool_use;
mod repeated;
mod request;
mod respond;
mod session_end;
mod session_start;
mod stdin;
mod stop;
mod tail;
#[cfg(test)]
mod tests;
mod tool_call;
mod transcript;
mod user_prompt;
mod words;

pub use agent::HookAgent;
pub use answer::HookAnswer;
pub use error::HookError;
pub use firing::Firing;
pub use input::HookInput;
pub use known::Known;
pub use name::HookName;
pub use output::HookOutput;
pub use request::HookRequest;
pub use respond::respond;
pub use stdin::{INPUT_BYTES_MAX, InputError};
pub use tool_call::ToolCall;
