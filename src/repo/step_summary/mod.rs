//! What a step of a workflow came to (spec 004, Compaction): told from the journal's own events, or
//! by a model that is given them, and recorded with the step's end in one commit.
//!
//! Three parts: what happened, important outputs, follow-up. The same events give the same text. A turn
//! in which nothing ran and nothing was refused leaves none, so that a hook that fires twice tells nothing
//! twice; a step that somebody began and ended by hand always does. What comes from elsewhere – an agent's last words, a model's reply – is redacted before it is
//! cut: half a secret is no secret to a rule.

mod error;
mod facts;
mod limits;
mod model;
mod step_end;
mod text;

#[cfg(test)]
mod tests;

pub use error::SummaryError;
pub use facts::Facts;
pub use model::SummaryModel;
pub use step_end::{Given, StepEnd};
pub(crate) use text::line;
