//! Which repository a folder belongs to, read from git's files: no program is run.

mod file;
mod folders;
mod head;
mod section;
mod settings;
mod url;
mod value;

#[cfg(test)]
mod tests;

use std::path::Path;

use super::limits::GIT_NAME_BYTES_MAX;
use super::{RepoError, RepoIdentity};

/// Which repository `root` belongs to. Its top is the nearest folder upward that git made its own, a
/// worktree's or a submodule's included, else `root`. Symbolic links, slashes at the end and which
/// folder of the tree was named make no difference, and neither do credentials in the remote's URL.
///
/// Of git's settings `url` of the remote `origin` counts, the first one, as it is written: what they
/// include and `insteadOf` do not. Where branches are kept in git's reftable none is told.
///
/// # Errors
/// Where `root` is missing, or git's files are there and cannot be read.
pub fn identify(root: &Path) -> Result<RepoIdentity, RepoError> {
    let root = root
        .canonicalize()
        .map_err(|source| RepoError::Folder { path: root.to_owned(), source })?;
    let Some(folders) = folders::find(&root)? else {
        return Ok(RepoIdentity::of(root, None, None));
    };
    let settings = folders.common.join("config");
    let url = file::read(&settings)?.and_then(|text| settings::origin(&text));
    if url.as_ref().is_some_and(|url| url.len() > GIT_NAME_BYTES_MAX) {
        return Err(RepoError::GitText {
            path: settings,
            why: "the URL of its origin is too long",
        });
    }
    let remote = url.map(|url| url::without_credentials(&url)).filter(|url| !url.is_empty());
    let branch = head::read(&folders.own)?;
    if branch.as_ref().is_some_and(|name| name.len() > GIT_NAME_BYTES_MAX) {
        let path = folders.own.join("HEAD");
        return Err(RepoError::GitText { path, why: "the name of its branch is too long" });
    }
    Ok(RepoIdentity::of(folders.top, remote, branch))
}
