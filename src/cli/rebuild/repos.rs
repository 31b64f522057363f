//! The files of repositories' memory: written from the rows, or held against them.

use super::{Args, Rebuilt};
use crate::cli::{CliError, Context, shown};
use crate::journal::Project;
use crate::output::escape;
use crate::repo::RepoError;
use crate::repo::files::{
    FolderReport, FolderStatus, Publish, PublishError, REPO_MEMORY, RepoFiles,
};
use crate::store::JournalFeed;
use crate::stores::StorePlaces;

/// What was done with one repository's files, or what they are.
pub struct Folder {
    path: String,
    /// The last event in them.
    events: u64,
    written: usize,
    is_same: bool,
    problem: Option<String>,
    is_check: bool,
}

/// Writes them, or, where only a check was asked for, says how they stand.
pub fn rebuild(args: &Args, is_named: bool, context: &Context) -> Result<Vec<Folder>, CliError> {
    let project = context.project()?;
    if !project.is_at_home() {
        let why = RepoError::Elsewhere.to_string();
        let elsewhere = || not_looked_at(&project, args.check, why);
        return Ok(is_named.then(elsewhere).into_iter().collect());
    }
    let feed = JournalFeed::asked(&project)?;
    let caught_up =
        crate::store::catch_up::catch_up_executions(&StorePlaces::of(project.root()), &feed);
    if !caught_up.is_current() {
        let why =
            "the rows that the files are made of are not up to date: `annals status` says why";
        return Ok(vec![not_looked_at(&project, args.check, why.to_owned())]);
    }
    if caught_up.last_of_repos.is_none() {
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
    Folder {
        path: shown(&project.journal_dir()),
        events: 0,
        written: 0,
        is_same: false,
        problem: Some(why),
        is_check,
    }
}

fn looked(folder: FolderStatus) -> Folder {
    Folder {
        path: shown(&folder.path),
        events: folder.sequence.map_or(0, |sequence| sequence.0),
        written: 0,
        is_same: folder.problem.is_none() && folder.files_behind == 0,
        problem: folder.problem,
        is_check: true,
    }
}

fn written(folder: FolderReport) -> Folder {
    let sequence = folder.outcome.as_ref().ok().and_then(|standing| standing.sequence); // told below
    Folder {
        path: shown(&folder.path),
        events: sequence.unwrap_or_default(),
        written: folder.written(),
        is_same: folder.written() == 0 && folder.lag().is_none(),
        problem: folder.lag(),
        is_check: false,
    }
}

impl Folder {
    /// Whether it does not hold what it is to hold.
    pub fn differs(&self) -> bool {
        self.problem.is_some() || (self.is_check && !self.is_same)
    }

    /// What it came to, for a person.
    pub fn print(&self, context: &mut Context) -> Result<(), CliError> {
        let verdict = match (&self.problem, self.is_same, self.is_check) {
            (Some(_), ..) => "left as it is",
            (None, true, _) => "nothing differs",
            (None, false, true) => "DIFFERS from what the journal says",
            (None, false, false) => "rebuilt",
        };
        let path = escape::line(&self.path);
        context.output.line(format_args!("{REPO_MEMORY}: {verdict} ({path})"))?;
        if let Some(problem) = &self.problem {
            context.output.line(format_args!("  {}", escape::line(problem)))?;
        }
        Ok(())
    }

    /// The same for `--json`.
    pub fn row(&self) -> Rebuilt {
        Rebuilt {
            store: REPO_MEMORY.to_owned(),
            path: Some(self.path.clone()),
            events: self.events,
            anomalies: 0,
            before: None,
            after: None,
            same: Some(self.is_same),
            replaced: self.written > 0,
            problem: self.problem.clone(),
            quarantined: None,
        }
    }
}
