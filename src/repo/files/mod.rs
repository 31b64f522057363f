//! The files of repositories' memory, published from the rows of `index.db` (spec 004).
//!
//! They are pure functions of those rows: who deletes them loses nothing. What a person edited is left
//! as it is and told, until it is taken over or discarded.

mod difference;
mod rendered;
mod report;
mod scrubbed;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::config::{RepoConfig, environment};
use crate::event::{RepoHash, wire};
use crate::execution::index::IndexReader;
use crate::execution::query::QueryError;
use crate::fault::{Class, Fault, Sorted};
use crate::journal::Project;
use crate::repo::folder as repo_folder;
use crate::repo::folder::{RepoFolder, Standing};
use crate::repo::query::{RepoIdentity, RepoView};
use crate::store::StoreError;
use rendered::Rendered;

pub use difference::{Change, EntryChange, RepoDifference};
pub use report::{FolderReport, FolderStatus, MOVE_AWAY, PublishReport};
pub use scrubbed::scrub_repos;

/// What lists call the files of repositories' memory.
pub const REPO_MEMORY: &str = "repo_memory";

/// Which folders are looked at, and what is done to what a person edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Publish {
    /// Those that may lack something: the newest first, down to the first that lacks nothing.
    Newest,
    /// Every one.
    All,
    /// Every one; what was edited, or is another journal's, is overwritten.
    Discard,
}

#[derive(Clone, Debug)]
pub struct RepoFiles {
    index: PathBuf,
    home: PathBuf,
    /// The project, whose branch need not be named.
    tree: Option<PathBuf>,
    errors: Option<PathBuf>,
}

impl RepoFiles {
    /// Those of a project; `None` of one whose journal was not made here: others keep its files.
    pub fn of(project: &Project) -> Result<Option<Self>, PublishError> {
        if !project.is_at_home() {
            return Ok(None);
        }
        let user_home = environment::user_home();
        let home = home_of(&project.config().repo, project.root(), user_home.as_deref());
        let home = home.ok_or(PublishError::NoHome)?;
        let (tree, errors) = (Some(project.tree().to_owned()), Some(project.errors_path()));
        Ok(Some(Self { index: project.index_path(), home, tree, errors }))
    }

    /// The same, with the rows of another index.
    pub fn with_index(self, index: &std::path::Path) -> Self {
        Self { index: index.to_owned(), ..self }
    }

    #[cfg(test)]
    pub fn at(index: &std::path::Path, home: &std::path::Path) -> Self {
        Self { index: index.to_owned(), home: home.to_owned(), tree: None, errors: None }
    }

    pub fn folder(&self, repo: RepoHash) -> PathBuf {
        repo_folder::repo_folder(&self.home, &repo.to_string())
    }

    /// Writes what the files lack of the rows. Never fails because of one folder: its report says why
    /// it lags. After one that could not be written the rest wait, so that the newest is never ahead
    /// of the others.
    pub fn publish(&self, which: Publish) -> Result<PublishReport, PublishError> {
        let index = IndexReader::open(&self.index)?;
        let mut due = Vec::new();
        for repo in RepoView::of(&index).repos()? {
            if which == Publish::Newest && self.is_current(&index, &repo)? {
                break;
            }
            due.push(repo.repo);
        }
        let mut report = PublishReport::default();
        for repo in due.into_iter().rev() {
            let outcome = self.publish_one(&index, repo, which == Publish::Discard);
            let (failed, path) = (outcome.is_err(), self.folder(repo));
            let named = match &outcome {
                Ok(standing) if standing.is_left() => self.named(repo),
                _ => String::new(),
            };
            report.folders.push(FolderReport { repo, path, named, outcome });
            if failed && which == Publish::Newest {
                break;
            }
        }
        self.note_left(&report)?;
        Ok(report)
    }

    /// As [`Self::publish`], of one repository alone.
    pub fn publish_repo(&self, repo: RepoHash, discard: bool) -> Result<Standing, PublishError> {
        let index = IndexReader::open(&self.index)?;
        self.publish_one(&index, repo, discard)
    }

    /// How the files of each repository stand, the newest first. Changes nothing.
    pub fn status(&self) -> Result<Vec<FolderStatus>, PublishError> {
        let index = IndexReader::open(&self.index)?;
        let _snapshot = index.moment()?;
        let repos = RepoView::of(&index).repos()?;
        repos.iter().map(|repo| self.status_of(&index, repo)).collect()
    }

    fn status_of(
        &self,
        index: &IndexReader,
        repo: &RepoIdentity,
    ) -> Result<FolderStatus, PublishError> {
        let rendered = Rendered::of(index, repo.repo)?;
        let looked = repo_folder::look(&self.home, &repo.repo.to_string(), &rendered.wanted(index));
        let path = self.folder(repo.repo);
        Ok(match looked {
            Ok(standing) if standing.is_left() => {
                FolderStatus::of(repo, path, &self.named(repo.repo), &standing)
            }
            Ok(standing) => FolderStatus::of(repo, path, "", &standing),
            Err(error) => FolderStatus::unread(repo, path, &error),
        })
    }

    /// What names a repository behind a command: nothing where it is the current one.
    fn named(&self, repo: RepoHash) -> String {
        let Some(tree) = &self.tree else { return String::new() };
        match super::identify(tree) {
            Ok(current) if current.hash == repo => String::new(),
            _ => format!(" --repo {}", &repo.to_string()[..12]),
        }
    }

    fn is_current(&self, index: &IndexReader, repo: &RepoIdentity) -> Result<bool, PublishError> {
        let Some(cursor) = index.cursor()? else { return Ok(true) };
        let journal = wire::hex_text(&cursor.position.journal);
        let hash = repo.repo.to_string();
        // What cannot be looked at is told by who tries to write it.
        Ok(repo_folder::is_current(&self.home, &hash, &journal, repo.last.0).unwrap_or(false))
    }

    fn publish_one(
        &self,
        index: &IndexReader,
        repo: RepoHash,
        discard: bool,
    ) -> Result<Standing, PublishError> {
        let folder = RepoFolder::hold(&self.home, &repo.to_string())?;
        // Rows as they are now that nobody else writes: never older than what the files have.
        let _snapshot = index.moment()?;
        let rendered = Rendered::of(index, repo)?;
        Ok(folder.publish(&rendered.wanted(index), discard)?)
    }

    /// Lists what was left among the anomalies.
    fn note_left(&self, report: &PublishReport) -> Result<(), PublishError> {
        let Some(errors) = &self.errors else { return Ok(()) };
        let anomalies: Vec<_> = report.folders.iter().filter_map(FolderReport::anomaly).collect();
        crate::store::catch_up::log_anomalies(errors, REPO_MEMORY, &anomalies)?;
        Ok(())
    }
}

/// Publishes what a project's files lack, where they may be written; see [`RepoFiles::publish`]. While
/// the user's own settings cannot be used nothing is.
pub fn publish_repos(project: &Project, which: Publish) -> Result<PublishReport, PublishError> {
    // Where they go is for the settings to say: what cannot be read there may be just that.
    let files = match project.settings().must_be_whole() {
        Ok(()) => RepoFiles::of(project)?,
        Err(_) => None,
    };
    files.map_or_else(|| Ok(PublishReport::default()), |files| files.publish(which))
}

impl From<StoreError> for PublishError {
    fn from(source: StoreError) -> Self {
        Self::Store { source }
    }
}

/// Why the files of repositories' memory could not be published. What was recorded stands.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    #[error(
        "there is no HOME to keep repositories' files in: set it, or `[repo] home` in \
         .annals/config.toml to a folder"
    )]
    NoHome,
    #[error(transparent)]
    Store { source: StoreError },
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl Fault for PublishError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::NoHome => Class::Refused.alone(),
            Self::Store { source } => source.sorted(),
            Self::Query(error) => error.sorted(),
        }
    }
}

impl PublishError {
    /// Whether somebody else holds a folder, or the index (exit code 4).
    pub fn is_locked(&self) -> bool {
        match self {
            Self::Store { source } | Self::Query(QueryError::Store(source)) => source.is_locked(),
            _ => false,
        }
    }
}

/// The folder that `repos/` is in, by the project's settings; `None` where that is the user's own and the
/// user has none.
pub fn home_of(config: &RepoConfig, root: &Path, user_home: Option<&Path>) -> Option<PathBuf> {
    match config.home.strip_prefix('~') {
        Some("") => user_home.map(Path::to_owned),
        Some(rest) if rest.starts_with('/') => {
            user_home.map(|home| home.join(rest.trim_start_matches('/')))
        }
        _ => Some(root.join(&config.home)),
    }
}
