//! What publishing came to, and how the files stand.

use std::path::{Path, PathBuf};

use super::PublishError;
use crate::event::{RepoHash, Sequence};
use crate::fault::{Fault, Problem, Remedy};
use crate::repo::folder::{Part, Standing};
use crate::repo::query::RepoIdentity;
use crate::store::{Anomaly, AnomalyKind, StoreError};

/// What publishing came to, the folders in the order they were done.
#[derive(Debug, Default)]
pub struct PublishReport {
    pub folders: Vec<FolderReport>,
}

#[derive(Debug)]
pub struct FolderReport {
    pub repo: RepoHash,
    pub path: PathBuf,
    /// What names it behind `annals repo diff`, where it is not the current one.
    pub named: String,
    /// The error is why the files lag.
    pub outcome: Result<Standing, PublishError>,
}

impl PublishReport {
    #[cfg(test)]
    /// Whether every file holds what it is to hold.
    pub fn is_current(&self) -> bool {
        self.folders.iter().all(|folder| folder.lag().is_none())
    }

    pub fn is_locked(&self) -> bool {
        let held =
            |folder: &FolderReport| folder.outcome.as_ref().is_err_and(PublishError::is_locked);
        self.folders.iter().any(held)
    }
}

impl FolderReport {
    /// Why the files do not hold what they are to hold, where they do not, and what to do about it.
    pub fn lag(&self) -> Option<Problem> {
        match &self.outcome {
            Err(error) => Some(told(error)),
            Ok(standing) => problem(&self.path, &self.named, standing),
        }
    }

    /// Whether there is something to say that was not said before: a failure is told each time.
    pub fn has_news(&self) -> bool {
        self.outcome.as_ref().map_or(true, |standing| standing.has_news)
    }

    pub fn written(&self) -> usize {
        self.outcome.as_ref().map_or(0, Standing::written)
    }

    /// What was left as it was found, as an anomaly: of the last event that is not in it therefore.
    pub(super) fn anomaly(&self) -> Option<Anomaly> {
        let standing = self.outcome.as_ref().ok()?; // told where it was tried
        let message = problem(&self.path, &self.named, standing)?.what;
        let sequence = Sequence(standing.sequence.unwrap_or_default());
        Some(Anomaly { sequence, kind: AnomalyKind::NotPublished, execution: None, message })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderStatus {
    pub repo: RepoHash,
    pub path: PathBuf,
    /// The last event that is in them, by their own account.
    pub sequence: Option<Sequence>,
    /// Events that they may lack: from the last in them to the last about the repository.
    pub lag_events: u64,
    /// Files that are to be written.
    pub files_behind: usize,
    /// Whether a person edited one, or something else lies in its place.
    pub is_edited: bool,
    /// What is wrong with them, and what to do about it.
    pub problem: Option<Problem>,
}

impl FolderStatus {
    pub(super) fn of(repo: &RepoIdentity, path: PathBuf, named: &str, standing: &Standing) -> Self {
        let sequence = standing.sequence.map(Sequence);
        let has = sequence.unwrap_or_default().0;
        let is_behind = !standing.is_current();
        Self {
            repo: repo.repo,
            problem: problem(&path, named, standing),
            path,
            sequence,
            // One that was deleted lacks what was in it.
            lag_events: repo.last.0.saturating_sub(has).max(u64::from(is_behind)),
            files_behind: standing.behind(),
            is_edited: standing.left().next().is_some(),
        }
    }

    pub(super) fn unread(repo: &RepoIdentity, path: PathBuf, error: &StoreError) -> Self {
        let (repo, lag_events) = (repo.repo, repo.last.0);
        let problem = Some(told(error));
        Self { repo, path, sequence: None, lag_events, files_behind: 0, is_edited: false, problem }
    }
}

/// What is said of what only a person may move.
pub const MOVE_AWAY: &str = "move it away";

/// What is wrong with files that were left, and what to do about it.
fn problem(path: &Path, named: &str, standing: &Standing) -> Option<Problem> {
    let path = path.display();
    let of = |what: String, way| Some(Problem { what, way: Some(way) });
    if let Some(journal) = &standing.other_journal {
        let what = format!("{path} is kept by another journal ({journal}) and was left as it is");
        return of(what, Remedy::TakeFolder(named.to_owned()));
    }
    if standing.is_ahead {
        let what = "knows of a later event than index.db does, and was left as it is";
        return of(format!("{path} {what}"), Remedy::Repair);
    }
    let (name, part) = standing.left().next()?;
    match part {
        Part::NoFile(what) => {
            let is_folder = *what == "a folder";
            let way = if is_folder { Remedy::Do(MOVE_AWAY) } else { Remedy::MoveOrReplace };
            of(format!("{path}/{name} is {what} and was left as it is"), way)
        }
        _ => {
            let what = format!("{path}/{name} was edited by hand and left as it is");
            of(what, Remedy::SettleEdits(named.to_owned()))
        }
    }
}

/// An error with what caused it: only the cause says what to do.
fn told(error: &dyn Fault) -> Problem {
    let what = match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    };
    Problem { what, way: error.sorted().1 }
}
