//! Transcripts of coding agents, read into events.

pub mod claude_code;
pub mod codex;
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
pub(crate) mod loose;
mod opened;
mod pieces;
mod progress;
mod report;
pub mod salvage;
mod seen;
mod source_file;
pub(crate) mod surrogates;
#[cfg(test)]
mod tests;
mod text;
mod transcript;
mod whose;

pub use coverage::{TranscriptCalls, transcript_calls};
pub use error::{ImportError, Skip};
pub use flaw::Flaw;
pub use format::Format;
pub use intake::{ImportRequest, import, import_transcript, survey};
pub use item::{Call, CallResult, Head, Item, Part, Prompt, Title, TranscriptRecord};
pub use ledger::{Ledger, LooseResult, closing, turned_out};
pub use progress::{Bar, Progress, Quiet};
pub use report::{Finding, ImportReport, SkippedFile};
pub use source_file::past_sessions;
