//! Transcripts of coding agents, read into events.

pub mod claude_code;
mod flaw;
mod item;
pub mod limits;
mod lines;

pub use flaw::Flaw;
pub use item::{Call, CallResult, Head, Item, Part, Prompt, Title, TranscriptRecord};
