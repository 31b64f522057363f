//! Integration tests: one program, one module a file (`tidy` finds a forgotten one).

mod bundle;
mod care;
mod causal;
mod commands;
mod context;
mod contract;
mod enable;
mod evidence;
mod export;
mod failure_cases;
mod gate;
mod graph;
mod hook;
mod invariants;
mod json_shapes;
mod memory;
mod memory_logs;
mod phases;
mod pipe;
mod project;
mod queries;
mod redaction;
mod replay;
mod repo;
mod shown;
mod sql;
mod terminal;
mod tidy;
mod timeline;
mod tools;
mod tour;
mod transcripts;
mod transparency;
#[cfg(feature = "tui")]
mod tui;
mod workflow;
