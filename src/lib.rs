//! annals: the flight recorder of coding agents.
//!
//! Layers, each importing only what stands to its left (DESIGN in ARCHITECTURE.md):
//! `command → event → journal → projector → store → query → surface`.
//!
//! A tool of your own, recorded around its call; its result is its own whatever happens to the log:
//!
//! ```no_run
//! use annals::command::{Project, ToolCall, closing_of, record_around};
//!
//! let project = Project::find(&std::env::current_dir()?)?;
//! let arguments = r#"{"path":"a"}"#.to_owned();
//! let call = ToolCall { tool: "file_read".to_owned(), arguments, ..ToolCall::default() };
//! let around = record_around(Some(&project), call, || std::fs::read("a"), closing_of);
//! let bytes = around.result?;
//! if let Err(error) = around.log {
//!     // Say so; the tool's result stands.
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod branch_memory;
pub mod command;
pub mod config;
pub mod debug_memory;
mod enclosure;
pub mod event;
pub mod execution_engine;
pub mod execution_tools;
pub mod journal;
pub mod projector;
pub mod query;
pub mod repo_memory;
pub mod store;
pub mod surface;

#[cfg(test)]
#[allow(dead_code)] // not all of it is needed here
#[path = "../tests/it/leash.rs"]
mod leash;
#[cfg(test)]
#[path = "../tests/it/skipped.rs"]
mod skipped;
