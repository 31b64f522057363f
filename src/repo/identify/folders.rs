//! Where git keeps what it knows of a working tree.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::super::RepoError;
use super::file;

/// Where git keeps what it knows of a working tree.
pub(super) struct Folders {
    /// The working tree's top.
    pub(super) top: PathBuf,
    /// Of this working tree alone: `HEAD`.
    pub(super) own: PathBuf,
    /// Of all working trees of the repository: `config`.
    pub(super) common: PathBuf,
}

/// The nearest folder from `root` upward that git made its own; `None` where none is. `root` is
/// canonical.
pub(super) fn find(root: &Path) -> Result<Option<Folders>, RepoError> {
    for top in root.ancestors() {
        let git = top.join(".git");
        let own = match git.metadata() {
            // A folder without HEAD is none of git's, for git neither.
            Ok(about) if about.is_dir() => match git.join("HEAD").symlink_metadata() {
                Ok(_) => git,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(source) => return Err(RepoError::GitFile { path: git, source }),
            },
            Ok(_) => match file::read(&git)?.as_deref().and_then(led_to) {
                Some(led) => top.join(led),
                None => {
                    let why = "it is neither a folder nor begins with `gitdir:`";
                    return Err(RepoError::GitText { path: git, why });
                }
            },
            Err(error) if file::is_absent(&error) => continue,
            Err(source) => return Err(RepoError::GitFile { path: git, source }),
        };
        let common = match file::read(&own.join("commondir"))? {
            Some(text) => own.join(path(&text)),
            None => own.clone(),
        };
        return Ok(Some(Folders { top: top.to_owned(), own, common }));
    }
    Ok(None)
}

/// Where the `.git` of a worktree or of a submodule leads, which is a file.
fn led_to(text: &[u8]) -> Option<&Path> {
    text.strip_prefix(b"gitdir:").map(path)
}

fn path(text: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(text.trim_ascii()))
}
