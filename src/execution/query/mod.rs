//! Questions about executions, sessions and anomalies. Nothing here writes.

pub(crate) mod action;
pub(crate) mod after;
pub(crate) mod anomalies;
pub(crate) mod around;
pub(crate) mod asked;
pub(crate) mod code_graph;
pub(crate) mod counted;
pub(crate) mod counts;
pub(crate) mod error;
pub(crate) mod executions;
pub mod export;
pub(crate) mod file_outcome;
pub(crate) mod filter;
pub(crate) mod identity;
pub(crate) mod ids;
pub(crate) mod known;
pub(crate) mod log;
pub(crate) mod log_filter;
pub(crate) mod mentions;
pub(crate) mod names;
pub(crate) mod page;
pub(crate) mod patterns;
pub(crate) mod recurring;
pub(crate) mod reference;
pub(crate) mod resolutions;
pub(crate) mod sessions;
pub(crate) mod show;
pub(crate) mod stores;
pub(crate) mod summary;
pub(crate) mod trace;

pub use action::Action;
pub use after::After;
pub use anomalies::StoredAnomaly;
pub use around::{Around, FileNeighbours, ServedPrompt};
pub use code_graph::{
    ChainStep, CodeGraph, CodeReference, CodeSymbol, DefiningFile, DiagnosticId, EdgeType,
    ExecutionChain, ExecutionNode, FileTouch, GraphDiagnostic, GraphEntity, KIND_DIAGNOSTIC,
    KIND_EXECUTION, KIND_STUB, Link, MostDefining,
};
pub use counted::{Counted, IndexedRow};
pub use counts::Counts;
pub use error::QueryError;
pub use executions::ExecutionQuery;
pub use file_outcome::FileOutcome;
pub use identity::Identity;
pub use known::{KnownExecution, KnownSession};
pub use log::LogPage;
pub use log_filter::LogFilter;
pub use mentions::Mentions;
pub use page::{PAGE_ITEMS, PAGE_ITEMS_MAX, Page};
pub use patterns::{Pattern, PatternQuery};
pub use recurring::{Recurring, RecurringQuery};
pub use reference::Reference;
pub use resolutions::{Basis, Candidate, Resolution, ResolutionQuery};
pub use sessions::{SessionFilter, SessionSummary};
pub use show::{ExecutionDetail, PathRole};
pub use stores::Stores;
pub use summary::ExecutionSummary;
pub use trace::{Trace, TraceQuery, TraceStep};

#[cfg(test)]
mod tests;
