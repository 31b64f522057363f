//! Spec 004's own code under its own names, in snake_case: what a repository remembers.
//!
//! | spec 004 | here |
//! |---|---|
//! | `getRepoMemory(repoHash)` | [`Repository::get_repo_memory`] |
//! | `upsertConvention(...)` | [`Repository::upsert_convention`], and so for decisions and notes |
//! | `appendSummary(runId, stepId, summaryText)` | [`Repository::append_summary`] |
//! | `buildContextFromMemory(maxChars)` | [`Repository::build_context_from_memory`] |
//! | Convention, Decision, Note | [`Convention`], [`Decision`], [`Note`] |
//!
//! ```
//! use annals::repo_memory::{ConventionGiven, Repository};
//!
//! # let dir = tempfile::tempdir()?;
//! # let path = dir.path();
//! # std::fs::create_dir(path.join(".annals"))?;
//! # std::fs::write(path.join(".annals/config.toml"), "[repo]\nhome = \".home\"\n")?;
//! let repository = Repository::initialize(path)?;
//! let fmt = repository.upsert_convention(ConventionGiven {
//!     title: Some("Format".to_owned()),
//!     content: Some("cargo fmt, before every commit".to_owned()),
//!     ..ConventionGiven::default()
//! })?;
//! repository.append_summary("run-1", "step-1", "Set the formatter up. Next: the linter.")?;
//!
//! let memory = repository.get_repo_memory(&repository.repo_hash()?)?;
//! assert_eq!(memory.conventions, [fmt]);
//! assert!(repository.build_context_from_memory(4_000)?.contains("cargo fmt"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every change is one durable commit of the journal; index.db holds what it came to, and the files of
//! `repos/<repoHash>/` are written from there.

mod repository;

#[cfg(test)]
mod tests;

use crate::journal::ProjectError;
use crate::repo::context::ContextError;

pub use crate::event::NoteSource;
pub use crate::repo::entry::{
    Convention, ConventionGiven, Decision, DecisionGiven, Note, NoteGiven,
};
pub use crate::repo::query::{RepoMemory, Summary};
pub use crate::repo::{RepoError, RepoIdentity};
pub use repository::Repository;

/// Why a call of the façade fails. Nothing of the call was recorded, but where the error says so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("{repo_hash:?} is no hash of a repository: give 64 hexadecimal digits")]
    RepoHash { repo_hash: String },
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Repo(#[from] RepoError),
    #[error(transparent)]
    Context(#[from] ContextError),
}

/// What the façade's calls give.
pub type Result<T, E = Error> = std::result::Result<T, E>;
