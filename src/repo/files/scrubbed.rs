//! What was published of a journal's repositories, after a redaction: written again, or taken away.

use std::path::PathBuf;

use super::{Publish, PublishError, RepoFiles, home_of};
use crate::config::environment;
use crate::event::wire;
use crate::execution::index::IndexReader;
use crate::journal::Project;
use crate::repo::folder::{RepoFolder, repos_of_journal};
use crate::repo::query::RepoView;

/// What became of the folders that say that this journal wrote them.
#[derive(Debug, Default)]
pub struct Scrubbed {
    /// Written again, or taken away.
    pub cleaned: Vec<PathBuf>,
    /// What could not be done, and is to be tried again.
    pub failed: Vec<(PathBuf, PublishError)>,
    /// What is not to be written from here, and why.
    pub kept: Vec<(PathBuf, String)>,
}

/// Publishes what is left of a journal's repositories, and takes away what was published of those of which nothing is
/// left: also of a project that moved since, by what each folder says of whose it is.
pub fn scrub_repos(project: &Project) -> Result<Scrubbed, PublishError> {
    let mut done = Scrubbed::default();
    let user_home = environment::user_home();
    let home = home_of(&project.config().repo, project.root(), user_home.as_deref());
    let home = home.ok_or(PublishError::NoHome)?;
    if let Err(error) = project.settings().must_be_whole() {
        done.kept.push((home, format!("what is published there is not looked at: {error}")));
        return Ok(done);
    }
    let is_at_home = project.is_at_home();
    let files = RepoFiles {
        index: project.index_path(),
        home,
        tree: Some(project.tree().to_owned()),
        errors: Some(project.errors_path()),
    };
    let index = IndexReader::open(&files.index)?;
    let Some(cursor) = index.cursor()? else { return Ok(done) };
    if is_at_home {
        for folder in files.publish(Publish::All)?.folders {
            let lag = folder.lag().map(|it| it.what);
            let (written, path) = (folder.written() > 0, folder.path);
            match (folder.outcome, lag) {
                (Err(error), _) => done.failed.push((path, error)),
                // Another journal's files hold nothing of this one.
                (Ok(standing), Some(what)) if standing.other_journal.is_none() => {
                    done.kept.push((path, what));
                }
                (Ok(_), _) if written => done.cleaned.push(path),
                (Ok(_), _) => {}
            }
        }
    }
    let known = RepoView::of(&index).repos()?;
    let other = if is_at_home { None } else { project.other_home() };
    for name in repos_of_journal(&files.home, &wire::hex_text(&cursor.position.journal))? {
        let repo = known.iter().map(|it| it.repo).find(|it| it.to_string() == name);
        let path = files.home.join(crate::repo::folder::REPOS).join(&name);
        if is_at_home && repo.is_some() {
            continue;
        }
        if let Some(root) = &other {
            let root = root.display();
            done.kept.push((path, format!("{root} publishes it: redact it there as well")));
            continue;
        }
        if !project.is_believed() {
            let why = "published by a journal of this id, which is not this user's here: remove it";
            done.kept.push((path, why.to_owned()));
            continue;
        }
        let outcome = match repo {
            Some(repo) => files
                .publish_one(&index, repo, false)
                .map(|it| it.left().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()),
            None => RepoFolder::hold(&files.home, &name)
                .and_then(|folder| folder.clear())
                .map_err(PublishError::from),
        };
        match outcome {
            Ok(left) if left.is_empty() => done.cleaned.push(path),
            Ok(left) => {
                let why = "was edited by hand and left as it is";
                done.kept.extend(left.iter().map(|it| (path.join(it), why.to_owned())));
            }
            Err(error) => done.failed.push((path, error)),
        }
    }
    Ok(done)
}
