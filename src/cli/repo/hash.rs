//! `annals repo hash`: which repository this is.

use crate::cli::{CliError, Context, Exit};
use crate::output::{escape, wire};
use crate::repo::files::RepoFiles;

/// Which repository this is: its hash, and what it is made of
///
/// The hash alone is the first line. Symbolic links, the folder that is named and credentials in the
/// URL make no difference to it; without a remote it is of the path alone.
#[derive(clap::Args, Debug)]
pub struct Args {}

pub fn run(_: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit, CliError> {
    // Of a copy, and without a home, there are none.
    let files = context.project().ok().and_then(|it| RepoFiles::of(&it).ok().flatten());
    let found = crate::cli::repo::repo(repo, context, |one, repo| {
        let folder = files.as_ref().map(|it| it.folder(repo).to_string_lossy().into_owned());
        let recorded = one.view.identity(repo)?;
        let known = recorded.is_some();
        let current = one.current.as_ref().filter(|it| it.hash == repo);
        let (path, remote, branch) = match (current, recorded) {
            (Some(it), _) => {
                (Some(it.top.to_string_lossy().into_owned()), it.remote.clone(), it.branch.clone())
            }
            (None, Some(it)) => (it.path, it.remote, it.branch),
            (None, None) => (None, None, None),
        };
        let repo_hash = repo.to_string();
        Ok(wire::RepoIdentity { repo_hash, path, remote, branch, folder, known })
    })?;
    if context.output.is_json() {
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(Exit::Fine);
    }
    for one in &found {
        context.output.line(&one.repo_hash)?;
        let parts = [
            ("path", &one.path),
            ("remote", &one.remote),
            ("branch", &one.branch),
            ("files", &one.folder),
        ];
        for (what, text) in parts {
            let none = if what == "remote" { "none: the path alone tells it" } else { "unknown" };
            let text = text.as_deref().unwrap_or(none);
            context.output.line(format_args!("{what:<7} {}", escape::line(text)))?;
        }
    }
    Ok(Exit::Fine)
}
