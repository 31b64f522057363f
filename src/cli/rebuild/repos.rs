//! The files of repositories' memory: written from the rows, or held against them.

use std::path::Path;

use super::{Args, Rebuilt};
use crate::cli::{Context, Result, shown};
use crate::journal::Project;
use crate::output::escape;
use crate::output::remedy;
use crate::repo::RepoError;
use crate::repo::files::{
    FolderReport, FolderStatus, Publish, PublishError, REPO_MEMORY, RepoFiles,
};
use crate::repo::index_fold::REPOS;
use crate::store::JournalFeed;
use crate::store::StoreName;
use crate::stores::STORES;

pub struct Folder {
    pub row: Rebuilt,
    is_check: bool,
}

/// Writes them, or, where only a check was asked for, says how they stand.
pub fn rebuild(args: &Args, is_named: bool, context: &Context) -> Result<Vec<Folder>> {
    let project = context.project()?;
    if !project.is_at_home() {
        let why = RepoError::Elsewhere.to_string();
        let elsewhere = || not_looked_at(&project, args.check, why);
        return Ok(is_named.then(elsewhere).into_iter().collect());
    }
    let feed = JournalFeed::asked(&project)?;
    let caught_up =
        crate::store::catch_up::catch_up_executions(&crate::stores::places(project.root()), &feed);
    if !caught_up.is_current() {
        let why =
            "the rows that the files are made of are not up to date: `annals status` says why";
        return Ok(vec![not_looked_at(&project, args.check, why.to_owned())]);
    }
    if caught_up.last(&REPOS).is_none() {
        return Ok(Vec::new());
    }
    Ok(folders(&project, args.check, args.discard)?)
}

fn folders(project: &Project, check: bool, discard: bool) -> Result<Vec<Folder>, PublishError> {
    let Some(files) = RepoFiles::of(project)? else { return Ok(Vec::new()) };
    if check {
        return Ok(files.status()?.into_iter().map(looked).collect());
    }
    let which = if discard { Publish::Discard } else { Publish::All };
    Ok(files.publish(which)?.folders.into_iter().map(written).collect())
}

/// Nothing was published, nor held against anything.
fn not_looked_at(project: &Project, is_check: bool, why: String) -> Folder {
    let row = Rebuilt { problem: Some(why), ..row(&project.journal_dir(), 0, false) };
    Folder { row, is_check }
}

fn looked(folder: FolderStatus) -> Folder {
    let is_same = folder.problem.is_none() && folder.files_behind == 0;
    let row = row(&folder.path, folder.sequence.unwrap_or_default().0, is_same);
    Folder {
        row: Rebuilt { problem: folder.problem.as_ref().map(remedy::problem), ..row },
        is_check: true,
    }
}

fn written(folder: FolderReport) -> Folder {
    let sequence = folder.outcome.as_ref().ok().and_then(|standing| standing.sequence); // told below
    let problem = folder.lag().as_ref().map(remedy::problem);
    let written = folder.written();
    let is_same = written == 0 && problem.is_none();
    let row = row(&folder.path, sequence.unwrap_or_default(), is_same);
    Folder { row: Rebuilt { replaced: written > 0, problem, ..row }, is_check: false }
}

/// `events`: the last event in the files.
fn row(path: &Path, events: u64, is_same: bool) -> Rebuilt {
    Rebuilt {
        store: REPO_MEMORY.to_owned(),
        path: Some(shown(path)),
        events,
        same: Some(is_same),
        ..Rebuilt::default()
    }
}

impl Folder {
    pub fn differs(&self) -> bool {
        self.row.problem.is_some() || (self.is_check && self.row.same != Some(true))
    }

    pub fn print(&self, context: &mut Context) -> Result<()> {
        let verdict = match (&self.row.problem, self.row.same, self.is_check) {
            (Some(_), ..) => "left as it is",
            (None, Some(true), _) => "nothing differs",
            (None, _, true) => "DIFFERS from what the journal says",
            (None, _, false) => "rebuilt",
        };
        let path = escape::line(self.row.path.as_deref().unwrap_or_default()).into_owned();
        context.output.line(format_args!("{REPO_MEMORY}: {verdict} ({path})"))?;
        if let Some(problem) = &self.row.problem {
            context.output.line(format_args!("  {}", escape::line(problem)))?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Store(StoreName),
    RepoMemory,
}

impl Named {
    pub fn parse(name: &str) -> Result<Self, String> {
        if name == REPO_MEMORY {
            return Ok(Self::RepoMemory);
        }
        let mut names: Vec<&str> = STORES.stores.iter().map(|store| store.as_str()).collect();
        names.push(REPO_MEMORY);
        let store = STORES.parse(name).map(Self::Store);
        store.ok_or_else(|| format!("stores are {}", names.join(" and ")))
    }

    pub fn store(self) -> Option<StoreName> {
        match self {
            Self::Store(store) => Some(store),
            Self::RepoMemory => None,
        }
    }
}
