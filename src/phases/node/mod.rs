//! One node of a search tree, from its branch of memory to its result (spec 003, "Phase 1-4 Execution
//! Flow"): branch, prompt, memory, model, phases, result.

mod ask;
mod book;
mod branch;
mod download;
mod end;
mod error;
mod given;
mod ground;
mod idea;
mod inject;
mod metric;
mod outcome;
mod parent;
mod place_name;
mod proposed;
mod run;
mod side;
mod steps;
#[cfg(test)]
mod tests;
mod turn;

pub use ask::AskFailure;
pub use book::{Book, Remembered};
pub use error::PhasesError;
pub use given::{NodeGiven, Proposal};
pub use idea::IDEA_TAG;
pub use metric::metric_of;
pub use outcome::{NodeOutcome, PhaseEnded};
pub use place_name::component;
pub use run::NodeRun;
pub use turn::is_running;
