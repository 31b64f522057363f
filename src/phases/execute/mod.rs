//! Running the commands of a phase: each recorded as an execution, all of it in one log.

mod executor;
mod log;
mod run;
#[cfg(test)]
mod tests;
mod words;

pub use executor::{CommandRan, Executor};
pub use log::PhaseLog;
pub use run::{CommandsRan, run_commands_with_logging};
pub use words::words;
