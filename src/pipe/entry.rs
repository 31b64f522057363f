//! Facts that an operation wants recorded, and what is answered then.

use super::{Pipe, PipeError, Told};
use crate::event::{Event, ExecutionId};
use crate::journal::RecordReport;

/// What is answered once the facts are durable.
type Answer = Box<dyn for<'p> FnOnce(&mut Pipe<'p>, &RecordReport) -> Result<Told, PipeError>>;

/// Facts that an operation wants recorded, and what is answered then.
pub struct Entry {
    /// The agent and its name of the session: told to the journal where it does not know it.
    pub of: Option<(String, String)>,
    pub events: Vec<Event>,
    /// The caller says when it was.
    pub is_timed: bool,
    pub answer: Answer,
    /// The execution that begins: ours until it ends.
    pub begins: Option<ExecutionId>,
    /// The execution that ends.
    pub ends: Option<ExecutionId>,
}

impl Entry {
    pub fn new(
        of: Option<(String, String)>,
        events: Vec<Event>,
        answer: impl for<'p> FnOnce(&mut Pipe<'p>, &RecordReport) -> Result<Told, PipeError> + 'static,
    ) -> Self {
        let (begins, ends) = (None, None);
        Self { of, events, is_timed: false, answer: Box::new(answer), begins, ends }
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("of", &self.of).field("events", &self.events).finish()
    }
}
