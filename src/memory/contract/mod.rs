//! Spec 003's own code under its own names: a memory with branches, in three layers.
//!
//! | layer | what | functions of [`BranchMemory`] |
//! |---|---|---|
//! | 1, primitive | one row | `set_core`, `get_core`, `write_event`, `_fetch_events`, `_insert_archival`, `retrieve_archival`, `create_branch` |
//! | 2, public | what an agent does | `mem_core_*`, `mem_recall_*`, `mem_archival_*`, `mem_node_*` |
//! | 3, system | a model's update, a prompt | `apply_llm_memory_updates`, `render_for_prompt`, `render_for_prompt_with_log` |
//!
//! Besides them is what keeps a memory small: `check_memory_pressure`, `auto_consolidate_memory`,
//! `consolidate_recall_events`, `consolidate_inherited_memory`, `evaluate_importance_with_llm`.
//!
//! ```
//! use annals::branch_memory::BranchMemory;
//!
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! let mut memory = BranchMemory::initialize(path)?.with_run_id("run-1");
//! memory.mem_node_fork(None, "root", None, None)?;
//! memory.mem_node_fork(Some("root"), "node_1", None, Some("draft"))?;
//!
//! memory.set_core("root", "compiler", "gcc 13", None, Some(4))?;
//! let updates = serde_json::json!({
//!     "core": {"flags": "-O3 -march=native"},
//!     "archival": [{"text": "OpenMP needs omp.h", "tags": ["ERROR"]}],
//!     "archival_search": {"query": "openmp", "k": 5},
//! });
//! let results = memory.apply_llm_memory_updates("node_1", &updates, Some("node_1"), None)?;
//! assert_eq!(results.reads.archival_search.unwrap().len(), 1);
//!
//! // The child sees its parent's, the parent nothing of its child's.
//! let prompt = memory.render_for_prompt("node_1", Some("draft"), 4_000, false)?;
//! assert!(prompt.contains("- compiler: gcc 13") && prompt.contains("- flags: -O3"));
//! assert_eq!(memory.get_core("root", "flags")?, None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every call is one durable commit of the journal, and `.annals/memory.db` holds what it came to: the
//! eight tables of the contract, which can be deleted and rebuilt. What Python takes by name is taken
//! here in the same order, `None` where it may be left out; `log_event` and `op_name` are not taken:
//! every operation is logged, under its own name. Where the contract returns nothing, what was done is
//! told.
//!
//! A call fails, and nothing of it is recorded, where what it names is not there or not as it says, where a name
//! or a text is too long, and where memory cannot be read or written.

mod functions;
mod memory;
mod system;

#[cfg(test)]
mod tests;

pub use crate::event::{Importance, PressureLevel};
pub use crate::memory::query::{
    ArchivalRecord, CoreValue, NodeMemory, NodeScope, Pressure, Recall, RecallEvent, RecallSummary,
    Rendered,
};
pub use crate::memory::{
    Applied, ArchivalDone, Asker, CommandImportance, Consolidated, CoreDone, CoreGone, Evicted,
    Forked, ImportanceItem, ImportanceModel, MemoryConsolidation, NodeWrite, NodeWritten,
    RecallDone, RecallGiven, Refusal, StoredImportance,
};
pub use crate::parse::reply::{ArchivalWrite, ReadResults, Updates};
pub use memory::{BranchMemory, Error, Result};
