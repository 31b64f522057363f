//! The one list of tables that other programs read.

mod beside;
mod counted;
#[cfg(feature = "parquet")]
mod error;
#[cfg(feature = "parquet")]
pub mod folder;
#[cfg(feature = "parquet")]
mod manifest;
#[cfg(feature = "parquet")]
mod partition;
#[cfg(feature = "parquet")]
mod target_files;

use crate::execution::query::exported::{
    ARTIFACTS, DIAGNOSTICS, EDGES, EXECUTIONS, FAILURE_CAUSES, FINDINGS, MESSAGES, PROMPTS,
    SESSIONS, TEST_FAILURES,
};
use crate::grounding::exported::GATE_VERDICTS;
use crate::memory::exported::MEMORY_OPERATIONS;
use crate::store::sql::exported::Exported;

pub use beside::{LEAKS, MakeError, SEEN, make};

/// Every one: a new table is an entry here.
pub static EXPORTED: &[&Exported] = &[
    &SESSIONS,
    &PROMPTS,
    &MESSAGES,
    &EXECUTIONS,
    &ARTIFACTS,
    &DIAGNOSTICS,
    &FAILURE_CAUSES,
    &TEST_FAILURES,
    &EDGES,
    &MEMORY_OPERATIONS,
    &GATE_VERDICTS,
    &FINDINGS,
    &LEAKS,
    &SEEN,
];

pub use counted::findings_by_kind;

#[cfg(test)]
mod tests;
