//! A model's reply (spec 003): its `<memory_update>`, and its answer. Nothing here asks or writes.
//!
//! A reply is as untrusted as anything that a program prints: every size is in [`limits`].

mod answer;
mod block;
mod error;
pub mod field;
mod given;
pub mod limits;
mod missing;
mod object;
mod results;
mod step;
#[cfg(test)]
mod tests;
mod updates;

pub use answer::answer;
pub use block::{Extracted, extract_memory_updates};
pub use error::ReplyError;
pub use given::updates_of;
pub use missing::MissingMemoryUpdateError;
pub use results::{FoundEvent, FoundRecord, ReadResults};
pub use step::{Phase1Step, parse_phase1_iterative_response};
pub use updates::{
    ArchivalChange, ArchivalSearch, ArchivalWrite, CoreWrite, Operation, RecallEvict, RecallSearch,
    RecallWrite, Updates,
};
