//! What `go test` prints.

mod build;
mod event;
mod failure;
mod owners;
mod package;
mod panic;
mod report;
mod verdict;

pub use report::GoTest;
