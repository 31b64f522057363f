//! Questions about executions, sessions and anomalies. Nothing here writes.

mod anomalies;
mod counts;
mod error;
mod identity;
mod ids;
mod known;
mod log;
mod log_filter;
mod mentions;
mod reference;
mod sessions;
mod show;
mod stores;
mod summary;

pub use anomalies::StoredAnomaly;
pub use counts::Counts;
pub use error::QueryError;
pub use identity::Identity;
pub use known::{KnownExecution, KnownSession};
pub use log::LogPage;
pub use log_filter::LogFilter;
pub use mentions::{Mention, Mentions};
pub use reference::Reference;
pub use sessions::{SessionFilter, SessionSummary};
pub use show::{ExecutionDetail, PathRole};
pub use stores::Stores;
pub use summary::ExecutionSummary;

#[cfg(test)]
mod tests;
