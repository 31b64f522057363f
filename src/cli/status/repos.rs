//! The files of repositories' memory, a row a folder.

use std::path::PathBuf;

use super::Row;
use crate::cli::{Result, with_causes};
use crate::execution::query::Stores;
use crate::journal::{Project, Source};
use crate::output::remedy;
use crate::repo::files::{FolderStatus, MOVE_AWAY, REPO_MEMORY, RepoFiles};

/// What is said of a copy, and of a project that moved: a state of things, and no fault.
pub const ELSEWHERE: &str = "this journal was made in another folder, and the files are written there \
                             alone; what is remembered is in the journal: `annals repo show`";

/// How the files of each repository stand that the stores know of.
pub fn rows(source: &Source, stores: Option<&Stores>) -> Result<Vec<Row>> {
    let Some(stores) = stores else { return Ok(Vec::new()) };
    if stores.repos().repos()?.is_empty() {
        return Ok(Vec::new());
    }
    let project = Project::open(source.root.as_deref().unwrap_or(&source.given))?;
    if !project.is_at_home() {
        return Ok(vec![elsewhere()]);
    }
    let looked = RepoFiles::of(&project).and_then(|files| match files {
        Some(files) => files.status(),
        None => Ok(Vec::new()),
    });
    Ok(match looked {
        Ok(folders) => folders.into_iter().map(row).collect(),
        Err(error) => vec![unread(with_causes(&error))],
    })
}

/// Whether a row tells of files that a person edited, or that are another journal's.
pub fn is_left(store: &Row) -> bool {
    let Some(problem) = store.problem.as_ref().filter(|_| store.store == REPO_MEMORY) else {
        return false;
    };
    store.sequence.is_some() || problem.contains(MOVE_AWAY)
}

/// What to do next about the first of these rows: the command that its problem names.
pub fn next(store: Option<&Row>) -> String {
    let problem = store.and_then(|store| store.problem.as_deref()).unwrap_or_default();
    let command = problem.split('`').find(|words| words.starts_with("annals repo diff"));
    match command {
        Some(command) => command.to_owned(),
        None if problem.contains(MOVE_AWAY) => {
            format!("{MOVE_AWAY}, then annals repair writes what is to be there")
        }
        None => "annals repair".to_owned(),
    }
}

fn row(folder: FolderStatus) -> Row {
    Row {
        store: REPO_MEMORY.to_owned(),
        path: folder.path,
        sequence: folder.sequence,
        lag: Some(folder.lag_events),
        problem: folder.problem.as_ref().map(remedy::problem),
        digest: None,
    }
}

/// The row of files that are not written here.
fn elsewhere() -> Row {
    let (store, path) = (REPO_MEMORY.to_owned(), PathBuf::new());
    Row { store, path, sequence: None, lag: Some(0), problem: None, digest: None }
}

fn unread(problem: String) -> Row {
    let (store, path) = (REPO_MEMORY.to_owned(), PathBuf::new());
    Row { store, path, sequence: None, lag: None, problem: Some(problem), digest: None }
}
