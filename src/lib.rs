//! annals: the flight recorder of coding agents.
//!
//! A room for each thing; each imports only from rooms that stand above it here (ARCHITECTURE.md).
//!
//! A tool of your own, recorded around its call; its result is its own whatever happens to the log:
//!
//! ```no_run
//! use annals::{Project, ToolCall, closing_of, record_around};
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

mod agents;
#[doc(hidden)]
pub mod cli;
mod config;
mod debug;
mod event;
mod execution;
mod grounding;
#[doc(hidden)]
pub mod internal;
mod journal;
mod memory;
mod output;
mod parse;
mod phases;
mod pipe;
mod redact;
mod repo;
mod store;
mod stores;
#[cfg(feature = "tui")]
mod tui;

// The names that the contract's documents give.
pub use debug::contract as debug_memory;
pub use execution::{ToolCall, closing_of, contract as execution_tools, record_around};
pub use grounding::contract as execution_engine;
pub use memory::contract as branch_memory;
pub use repo::contract as repo_memory;

pub use journal::Project;

#[cfg(test)]
#[allow(dead_code)] // not all of it is needed here
#[path = "../tests/it/leash.rs"]
mod leash;
#[cfg(test)]
#[path = "../tests/it/skipped.rs"]
mod skipped;
