//! What of a fold's work depends on events alone: it is done where they are read, while rows are made of those before.

use std::any::Any;
use std::sync::Arc;

use crate::event::Recorded;

/// What was made of an event; only its store knows what that is.
pub type Foreseen = Arc<dyn Any + Send + Sync>;

/// Sees every event from a journal's first on, as the fold does.
pub trait Foresight: Send {
    /// `started` is the start of the execution that it closes, where the fold wants starts. `None`: it is left to the
    /// fold.
    fn of(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Option<Foreseen>;
}
