//! Questions about executions, sessions and anomalies. Nothing here writes.

mod action;
mod after;
mod agents;
mod anomalies;
mod around;
mod asked;
mod code_graph;
mod counted;
mod counts;
pub mod debug;
mod error;
mod executions;
pub mod export;
mod file_outcome;
mod filter;
mod identity;
mod ids;
mod known;
mod log;
mod log_filter;
pub mod memory;
mod mentions;
mod names;
pub mod pack;
mod page;
mod patterns;
mod recent;
mod recurring;
mod reference;
pub mod repo;
pub mod repo_map;
mod resolutions;
mod sessions;
mod show;
pub mod sql;
mod stores;
mod summary;
pub mod timeline;
mod trace;

pub use action::Action;
pub use after::After;
pub use agents::AgentVerdicts;
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
pub use recent::RecentFailures;
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
