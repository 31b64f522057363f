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

mod error;
mod repository;

#[cfg(test)]
mod tests;

pub use crate::event::NoteSource;
pub use crate::repo::query::{Convention, Decision, Note, RepoMemory, Summary};
pub use crate::repo::{ConventionGiven, DecisionGiven, NoteGiven, RepoError, RepoIdentity};
pub use error::{Error, Result};
pub use repository::Repository;
