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

// Some questions are asked by the screen alone.
#![cfg_attr(not(feature = "tui"), allow(dead_code, unused_imports))]

use annals_facts::{event, parse, redact};

mod agents;
mod cli;
mod config;
mod debug;
mod execution;
mod fault;
mod fleet;
mod grounding;
#[doc(hidden)]
pub mod internal;
mod journal;
mod memory;
mod output;
mod phases;
mod pipe;
mod repo;
mod report;
mod search;
mod store;
mod stores;
#[cfg(feature = "tui")]
mod tui;

// The names that the contract's documents give.
pub use debug::contract as debug_memory;
pub use execution::{ToolCall, closing_of, record_around};
pub use grounding::contract as execution_engine;
pub use repo::contract as repo_memory;

pub use journal::Project;

/// The annals program.
#[doc(hidden)]
pub fn main() -> std::process::ExitCode {
    #[cfg(feature = "tui")]
    let screen = Some(tui::show as fn(_, &mut cli::Context) -> _);
    #[cfg(not(feature = "tui"))]
    let screen = None;
    cli::main(cli::Surfaces { pipe: pipe::serve, screen })
}

/// Spec 000's own code under its own names, and what spec 001 asks of the same log.
pub mod execution_tools {
    pub use crate::execution::contract::*;
    pub use crate::grounding::contract::timeline::*;
}

/// Spec 003's own code under its own names: branches of memory, and the phases of a node.
pub mod branch_memory {
    pub use crate::memory::contract::*;
    pub use crate::phases::contract as phases;
}

#[cfg(test)]
#[allow(dead_code)] // not all of it is needed here
#[path = "../tests/it/leash.rs"]
mod leash;
#[cfg(test)]
#[path = "../tests/it/skipped.rs"]
mod skipped;
