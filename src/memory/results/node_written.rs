//! What `mem_node_write` came to.

use super::{ArchivalDone, CoreDone, RecallDone};

/// What `mem_node_write` came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeWritten {
    pub branch: String,
    /// In the order of the updates.
    pub core: Vec<CoreDone>,
    pub recall: Option<RecallDone>,
    pub archival: Vec<ArchivalDone>,
}
