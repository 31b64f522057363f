//! What operations on branch memory give back.

mod applied;
mod archival_done;
mod consolidated;
mod core_done;
mod evicted;
mod forked;
mod memory_consolidation;
mod node_written;
mod recall_done;

pub use applied::{Applied, Refusal};
pub use archival_done::ArchivalDone;
pub use consolidated::Consolidated;
pub use core_done::{CoreDone, CoreGone};
pub use evicted::{Evicted, NotEvicted};
pub use forked::Forked;
pub use memory_consolidation::MemoryConsolidation;
pub use node_written::NodeWritten;
pub use recall_done::RecallDone;
