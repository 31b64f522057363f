//! The memory of repositories (spec 004): whose it is, and what is done to it.
//!
//! What is changed is recorded first and then held, as everything is: an operation reads what is
//! there from `index.db`, caught up, and records plain facts in one commit. The files below
//! `repos/<repoHash>/` are made from the rows afterwards.

mod adopt;
mod changes;
pub mod context;
pub mod contract;
pub mod entry;
mod error;
mod fields;
pub mod files;
pub mod folder;
mod identify;
pub mod index_fold;
pub mod map;
pub mod pack;
pub mod query;
pub mod step_summary;
pub mod tree;
mod writer;

#[cfg(test)]
mod tests;

pub use changes::IndexGiven;
#[cfg(test)]
use changes::cut_summary;
pub use error::RepoError;
pub use identify::{RepoAt, RepoIdentity, identify, logged_commits};
pub use writer::{RepoDone, RepoWriter};
