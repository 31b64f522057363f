//! The memory of repositories (spec 004): whose it is, and what is done to it.
//!
//! What is changed is recorded first and then held, as everything is: an operation reads what is
//! there from `index.db`, caught up, and records plain facts in one commit. The files below
//! `repos/<repoHash>/` are made from the rows afterwards.

mod adopt;
pub mod context;
pub mod contract;
mod entries;
mod error;
mod fields;
pub mod files;
pub mod folder;
mod identify;
mod identity;
mod index;
pub mod index_fold;
mod limits;
mod link;
pub mod map;
pub mod pack;
pub mod query;
mod reads;
mod request;
mod result;
pub mod step_summary;
mod summary;
pub mod tree;
mod writer;

#[cfg(test)]
mod tests;

pub use adopt::Adopted;
pub use error::RepoError;
pub use identify::identify;
pub use identity::RepoIdentity;
pub use index::IndexGiven;
pub use request::{ConventionGiven, DecisionGiven, Expected, NoteGiven};
pub use result::RepoDone;
#[cfg(test)]
use summary::cut_summary;
pub use writer::RepoWriter;
