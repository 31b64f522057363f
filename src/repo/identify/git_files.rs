//! The files by which git tells where a working tree's top is, and what is checked out.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::RepoError;

const GIT_FILE_BYTES_MAX: u64 = 1 << 20;
/// What `HEAD` names where branches are kept in a table that only git reads.
const IN_A_TABLE: &str = ".invalid";

/// The file's bytes; `None` where there is none. Links are followed: tools that keep many trees of one
/// repository link `.git/config`. A pipe that nobody writes to is not waited for.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, RepoError> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(source) => return Err(RepoError::GitFile { path: path.to_owned(), source }),
    };
    let mut bytes = Vec::new();
    let read = file.metadata().and_then(|about| {
        if !about.is_file() {
            return Ok(false);
        }
        file.take(GIT_FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map(|_| true)
    });
    let why = match read {
        Err(source) => return Err(RepoError::GitFile { path: path.to_owned(), source }),
        Ok(false) => "it is no file",
        Ok(true) if bytes.len() as u64 > GIT_FILE_BYTES_MAX => "it is larger than 1 MiB",
        Ok(true) => return Ok(Some(bytes)),
    };
    Err(RepoError::GitText { path: path.to_owned(), why })
}

pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Whether there is nothing by this name: also where a file stands for a folder on the way, or the name
/// is none that could exist.
fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidInput | InvalidFilename)
}

/// Where git keeps what it knows of a working tree.
pub(super) struct Folders {
    /// The working tree's top.
    pub top: PathBuf,
    /// Of this working tree alone: `HEAD`.
    pub own: PathBuf,
    /// Of all working trees of the repository: `config`.
    pub common: PathBuf,
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
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(source) => return Err(RepoError::GitFile { path: git, source }),
            },
            Ok(_) => match read(&git)?.as_deref().and_then(led_to) {
                Some(led) => top.join(led),
                None => {
                    let why = "it is neither a folder nor begins with `gitdir:`";
                    return Err(RepoError::GitText { path: git, why });
                }
            },
            Err(error) if is_absent(&error) => continue,
            Err(source) => return Err(RepoError::GitFile { path: git, source }),
        };
        let common = match read(&own.join("commondir"))? {
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

/// The branch that is checked out, without `refs/heads/`, or the commit; `None` where `HEAD` says
/// neither, or is not there.
pub(super) fn branch(own: &Path) -> Result<Option<String>, RepoError> {
    let path = own.join("HEAD");
    // As git made it before it had `ref:`. A link elsewhere is a file like another.
    if let Ok(target) = fs::read_link(&path)
        && target.starts_with("refs")
    {
        return Ok(named(target.as_os_str().as_bytes()));
    }
    Ok(read(&path)?.and_then(|text| {
        let text = text.trim_ascii();
        match text.strip_prefix(b"ref:") {
            Some(name) => named(name.trim_ascii()),
            None => commit(text),
        }
    }))
}

fn named(name: &[u8]) -> Option<String> {
    let name = name.strip_prefix(b"refs/heads/").unwrap_or(name);
    let name = String::from_utf8_lossy(name);
    (!name.is_empty() && name != IN_A_TABLE).then(|| name.into_owned())
}

/// 40 hexadecimal digits (SHA-1) or 64 (SHA-256).
fn commit(text: &[u8]) -> Option<String> {
    if !matches!(text.len(), 40 | 64) || !text.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    Some(String::from_utf8_lossy(text).to_ascii_lowercase())
}
