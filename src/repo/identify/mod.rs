//! Which repository a folder belongs to, read from git's files: no program is run.

mod head;
mod section;
mod settings;

#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::limits::{GIT_FILE_BYTES_MAX, GIT_NAME_BYTES_MAX};
use super::{RepoError, RepoIdentity};

/// Which repository `root` belongs to. Its top is the nearest folder upward that git made its own, a
/// worktree's or a submodule's included, else `root`. Symbolic links, slashes at the end and which
/// folder of the tree was named make no difference, and neither do credentials in the remote's URL.
///
/// Of git's settings `url` of the remote `origin` counts, the first one, as it is written: what they
/// include and `insteadOf` do not. Where branches are kept in git's reftable none is told.
pub fn identify(root: &Path) -> Result<RepoIdentity, RepoError> {
    let root = root
        .canonicalize()
        .map_err(|source| RepoError::Folder { path: root.to_owned(), source })?;
    let Some(folders) = find(&root)? else {
        return Ok(RepoIdentity::of(root, None, None));
    };
    let settings = folders.common.join("config");
    let url = read(&settings)?.and_then(|text| settings::origin(&text));
    if url.as_ref().is_some_and(|url| url.len() > GIT_NAME_BYTES_MAX) {
        return Err(RepoError::GitText {
            path: settings,
            why: "the URL of its origin is too long",
        });
    }
    let remote = url.map(|url| without_credentials(&url)).filter(|url| !url.is_empty());
    let branch = head::read(&folders.own)?;
    if branch.as_ref().is_some_and(|name| name.len() > GIT_NAME_BYTES_MAX) {
        let path = folders.own.join("HEAD");
        return Err(RepoError::GitText { path, why: "the name of its branch is too long" });
    }
    Ok(RepoIdentity::of(folders.top, remote, branch))
}

/// The URL without user, password, query and fragment: a token that changes changes nothing, and is kept
/// nowhere. Where it is not clear what belongs to a password, more is cut.
fn without_credentials(url: &str) -> String {
    let url = url.trim();
    if url.get(..5).is_some_and(|begin| begin.eq_ignore_ascii_case("ext::")) {
        // A command line, with whatever stands on it.
        return "ext::".to_owned();
    }
    let Some((scheme, mut rest)) = url.split_once("://") else {
        return short_form(url).to_owned();
    };
    let mut clean = scheme.to_owned();
    loop {
        rest = without_user(rest);
        if !scheme.eq_ignore_ascii_case("file") {
            rest = rest.split(['?', '#']).next().unwrap_or(rest);
        }
        clean.push_str("://");
        // A URL may hold another: a mirror's, or a proxy's.
        let Some((before, inner)) = rest.split_once("://") else { break };
        clean.push_str(before);
        rest = inner;
    }
    clean.push_str(rest);
    clean
}

/// Host and path without the user before them.
fn without_user(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    if authority.is_empty() || is_host(&authority[host..]) {
        return &rest[host..];
    }
    // What follows the colon is no port: the password holds what ends a host elsewhere.
    rest.rfind('@').map_or(rest, |at| &rest[at + 1..])
}

/// Whether it can be a host, with a port or without.
fn is_host(text: &str) -> bool {
    // Of an IPv6 address what follows the bracket.
    let last = text.rsplit_once(']').map_or(text, |(_, last)| last);
    !text.is_empty()
        && last.split_once(':').is_none_or(|(_, port)| port.bytes().all(|it| it.is_ascii_digit()))
}

/// `user@host:path` without the user; a path is left as it is.
fn short_form(url: &str) -> &str {
    let before = url.split('/').next().unwrap_or(url);
    let Some(colon) = before.find(':') else { return url };
    match before[..colon].rfind('@').or_else(|| before.rfind('@')) {
        Some(at) => &url[at + 1..],
        None => url,
    }
}

/// The file's bytes; `None` where there is none. Links are followed: tools that keep many trees of one
/// repository link `.git/config`. A pipe that nobody writes to is not waited for.
fn read(path: &Path) -> Result<Option<Vec<u8>>, RepoError> {
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

fn open(path: &Path) -> io::Result<File> {
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
struct Folders {
    /// The working tree's top.
    top: PathBuf,
    /// Of this working tree alone: `HEAD`.
    own: PathBuf,
    /// Of all working trees of the repository: `config`.
    common: PathBuf,
}

/// The nearest folder from `root` upward that git made its own; `None` where none is. `root` is
/// canonical.
fn find(root: &Path) -> Result<Option<Folders>, RepoError> {
    for top in root.ancestors() {
        let git = top.join(".git");
        let own = match git.metadata() {
            // A folder without HEAD is none of git's, for git neither.
            Ok(about) if about.is_dir() => match git.join("HEAD").symlink_metadata() {
                Ok(_) => git,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
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
