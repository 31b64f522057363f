//! The operations of a pipe, a family a file.

pub mod about;
pub mod debug;
pub mod executions;
pub mod gate;
pub mod history;
pub mod memory;
pub mod recording;
pub mod replies;
pub mod repo;
pub mod sessions;
pub mod timeline;
pub mod tools;
