//! Spec 000: executions, their two stores and the code graph, the questions about them, and replay.

pub mod around;
pub mod asked_stores;
pub mod closed;
pub mod contract;
mod foresight;
pub mod graph;
pub mod index;
pub mod infer;
pub mod json;
pub(crate) mod judged;
pub mod log;
mod past;
pub mod query;
pub mod replay;
pub mod tally;
pub mod window;

pub use around::{Around, ToolCall, closing_of, record_around, record_around_with};
pub use asked_stores::{AskedStores, Contradiction, StandingStores};
pub(crate) use judged::causes_of;
pub use past::{import_recorder, live_recorder, sweep_dead_owners};
