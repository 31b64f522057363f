//! Transcripts of coding agents, read into events.

pub mod claude_code;
mod coverage;
mod error;
mod feed;
mod flaw;
mod format;
mod groups;
mod intake;
mod item;
mod ledger;
pub mod limits;
mod lines;
mod progress;
mod report;
pub mod salvage;
mod source_file;
#[cfg(test)]
mod tests;

pub use coverage::{TranscriptCalls, transcript_calls};
pub use error::{ImportError, Skip};
pub use flaw::Flaw;
pub use format::Format;
pub use intake::{ImportRequest, import, survey};
pub use item::{Call, CallResult, Head, Item, Part, Prompt, Title, TranscriptRecord};
pub use ledger::{Ledger, LooseResult};
pub use progress::{Bar, Progress, Quiet};
pub use report::{Finding, ImportReport, SkippedFile};
pub use source_file::past_sessions;
