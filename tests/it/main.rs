//! Integration tests: one program, one module a file (`tidy` finds a forgotten one).

mod care;
mod commands;
mod contract;
mod failure_cases;
mod graph;
mod json_shapes;
mod project;
mod tidy;
mod tour;
mod transcripts;
mod transparency;
