//! What `mem_node_write` takes.

use super::RecallGiven;
use crate::parse::reply::ArchivalWrite;

/// What is to be written into the memory of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeWrite {
    /// Keys with values, in this order.
    pub core_updates: Vec<(String, String)>,
    pub recall_event: Option<RecallGiven>,
    pub archival_records: Vec<ArchivalWrite>,
}
