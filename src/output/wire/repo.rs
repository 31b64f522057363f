//! What repositories remember. Entries have the fields of spec 004's files, under its names.

use serde::Serialize;

use crate::event::RepoHash;
use crate::execution::query::QueryError;
use crate::repo as done;
use crate::repo::query;

/// What an operation came to.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoDone<T> {
    #[serde(flatten)]
    pub done: T,
    /// The repository that it was recorded for.
    pub repo_hash: String,
    /// The last event that it recorded; `null` where nothing changed.
    pub sequence: Option<u64>,
}

/// A row of a list: an entry, or a summary.
#[derive(Clone, Debug, Serialize)]
pub struct RepoRow<T> {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    #[serde(flatten)]
    pub row: T,
}

/// An entry that was removed, as it was.
#[derive(Clone, Debug, Serialize)]
pub struct RepoRemoved {
    pub id: String,
    /// `convention`, `decision` or `note`.
    pub kind: &'static str,
}

/// Which repository a folder belongs to.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoIdentity {
    pub repo_hash: String,
    /// The working tree's top folder.
    pub path: Option<String>,
    /// The URL of `origin` without credentials.
    pub remote: Option<String>,
    /// The branch that is checked out, or the commit.
    pub branch: Option<String>,
    /// Where its files are; `null` where there is no home folder to have them in.
    pub folder: Option<String>,
    /// Whether anything was recorded for it.
    pub known: bool,
}

/// A repository of the journal.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Repo {
    /// Which of several journals it is in; `null` where one was asked.
    pub journal: Option<String>,
    pub repo_hash: String,
    pub path: Option<String>,
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// Those that it is linked with.
    pub linked: Vec<String>,
    /// Whether it is the one that the project lies in, as it stands now.
    pub current: bool,
    /// The last event about it, or about one that it is linked with.
    pub sequence: u64,
}

/// What a link came to.
#[derive(Clone, Debug, Serialize)]
pub struct RepoLinked {
    /// Those whose memory is one now.
    pub linked: Vec<String>,
}

impl<T> RepoDone<T> {
    /// What is told of what was done.
    pub fn of<U>(done: done::RepoDone<U>, told: impl FnOnce(U) -> T) -> Self {
        Self {
            repo_hash: done.repo.to_string(),
            sequence: done.sequence.map(|sequence| sequence.0),
            done: told(done.done),
        }
    }
}

impl Repo {
    /// A repository as an index has it.
    pub fn of(
        view: query::RepoView<'_>,
        it: query::RepoIdentity,
        journal: Option<&str>,
        current: Option<RepoHash>,
    ) -> Result<Self, QueryError> {
        let mut linked = view.family(it.repo)?;
        linked.retain(|other| *other != it.repo);
        Ok(Self {
            journal: journal.map(str::to_owned),
            repo_hash: it.repo.to_string(),
            path: it.path,
            remote: it.remote,
            branch: it.branch,
            linked: linked.iter().map(ToString::to_string).collect(),
            current: current == Some(it.repo),
            sequence: it.last.0,
        })
    }
}

impl RepoLinked {
    pub fn of(family: &[RepoHash]) -> Self {
        Self { linked: family.iter().map(ToString::to_string).collect() }
    }
}

impl RepoRemoved {
    pub fn of(entry: &query::Entry) -> Self {
        Self { id: entry.id().to_owned(), kind: entry.kind().as_str() }
    }
}
