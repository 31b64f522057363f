//! Integration tests: one program, one module a file (`tidy` finds a forgotten one).

mod contract;
mod project;
mod tidy;
mod transcripts;
mod transparency;
