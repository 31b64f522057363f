//! Agents' own transcripts, hooks and settings.

pub mod hook;
pub mod import;
pub mod settings;
