//! What happened to branch memory: the rows of `index.db` with the events they are of.

#[cfg(test)]
mod tests;
mod why;

use super::feed::{Feed, FeedError};
use crate::event::Body;
use crate::query::memory::{MemoryLog, MemoryOp};
use crate::query::{QueryError, Stores};

pub use why::{Why, WhyStep, WhyValue, why};

/// An event of branch memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    pub op: MemoryOp,
    /// What it says; `None` where the journal has lost it.
    pub body: Option<Body>,
}

/// What happened to memory cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum MemoryPastError {
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Feed(#[from] FeedError),
}

/// Events of branch memory, newest first, each as the journal has it.
///
/// # Errors
/// Where a store or the journal cannot be read.
pub fn memory_log(
    stores: &Stores,
    feed: &dyn Feed,
    asked: &MemoryLog,
) -> Result<Vec<Told>, MemoryPastError> {
    stores.memory_log(asked)?.into_iter().map(|op| told(feed, op)).collect()
}

fn told(feed: &dyn Feed, op: MemoryOp) -> Result<Told, MemoryPastError> {
    let body = feed.get(op.sequence)?.map(|recorded| recorded.event.body);
    Ok(Told { op, body })
}
