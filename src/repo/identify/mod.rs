//! Which repository a folder belongs to, read from git's files: no program is run.

mod git_files;
mod reflog;
mod settings;

#[cfg(test)]
mod tests;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use serde::Serialize;

pub use reflog::logged_commits;

use super::RepoError;
use crate::event::{Body, RepoHash, RepoIdentified, wire};
use crate::journal::project::worktree::Worktree;
use crate::repo::query::{MEMORY_VERSION, Origin, RepoMemory};

/// The URL of a remote, or the name of a branch, bytes.
const GIT_NAME_BYTES_MAX: usize = 4 << 10;
/// What a hash says it is: another way to make one needs another.
const CONTEXT: &str = "annals repo 1";

/// Which repository a folder belongs to (ruling 13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepoIdentity {
    /// The working tree's top folder, canonical; where there is no git, the folder itself.
    pub top: PathBuf,
    /// The URL of `origin`, without credentials.
    pub remote: Option<String>,
    /// The branch that is checked out, or the commit where none is. `None` where git says neither.
    pub branch: Option<String>,
    /// Git's folder, of a linked working tree: it shares it with the others.
    pub common: Option<PathBuf>,
    /// blake3 of path, remote and branch: of the path alone where there is no remote.
    pub hash: RepoHash,
}

impl RepoIdentity {
    /// The identity that these make. Each part goes in behind its length (u64, little endian), so
    /// that no two lists of parts are the same bytes.
    fn of(top: PathBuf, remote: Option<String>, branch: Option<String>) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        let mut take = |part: &[u8]| {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        };
        take(top.as_os_str().as_bytes());
        if let Some(remote) = &remote {
            take(remote.as_bytes());
            if let Some(branch) = &branch {
                take(branch.as_bytes());
            }
        }
        let hash = RepoHash(*hasher.finalize().as_bytes());
        Self { top, remote, branch, common: None, hash }
    }

    /// Whether four digits or more are the beginning of its hash.
    pub fn begins(&self, prefix: &str) -> bool {
        let prefix = prefix.to_ascii_lowercase();
        prefix.len() >= 4 && self.hash.to_string().starts_with(&prefix)
    }

    /// What is remembered of it where nothing was recorded.
    pub fn remembers_nothing(&self) -> RepoMemory {
        RepoMemory {
            version: MEMORY_VERSION,
            repo_hash: self.hash,
            path: Some(self.top.to_string_lossy().into_owned()),
            remote: self.remote.clone(),
            branch: self.branch.clone(),
            linked: Vec::new(),
            conventions: Vec::new(),
            decisions: Vec::new(),
            notes: Vec::new(),
            inherited: Vec::new(),
        }
    }

    pub fn event(&self) -> Body {
        Body::RepoIdentified(RepoIdentified {
            repo: self.hash,
            path: self.top.to_string_lossy().into_owned(),
            remote: self.remote.clone(),
            branch: self.branch.clone(),
            common: self.common.as_ref().map(|it| it.to_string_lossy().into_owned()),
        })
    }

    /// By what it is told to be of the same repository as another.
    pub fn origin(&self) -> Origin {
        let top = self.top.to_string_lossy().into_owned();
        let common = self.common.as_ref().map(|it| it.to_string_lossy().into_owned());
        let common = common.unwrap_or_else(|| format!("{top}/.git"));
        Origin {
            hash: self.hash,
            top,
            common,
            remote: self.remote.clone(),
            branch: self.branch.clone(),
        }
    }
}

/// Which repository a folder belongs to, and what is there of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoAt {
    #[serde(serialize_with = "wire::text")]
    pub repo_hash: RepoHash,
    pub path: Option<String>,
    pub remote: Option<String>,
    /// The branch that is checked out, or the commit.
    pub branch: Option<String>,
    /// Where its files are; `None` where there is no home folder to have them in.
    pub folder: Option<String>,
    /// Whether anything was recorded for it.
    pub known: bool,
}

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
    let Some(folders) = git_files::find(&root)? else {
        return Ok(RepoIdentity::of(root, None, None));
    };
    let settings = folders.common.join("config");
    let url = git_files::read(&settings)?.and_then(|text| settings::origin(&text));
    if url.as_ref().is_some_and(|url| url.len() > GIT_NAME_BYTES_MAX) {
        return Err(RepoError::GitText {
            path: settings,
            why: "the URL of its origin is too long",
        });
    }
    let remote = url.map(|url| without_credentials(&url)).filter(|url| !url.is_empty());
    let branch = git_files::branch(&folders.own)?;
    if branch.as_ref().is_some_and(|name| name.len() > GIT_NAME_BYTES_MAX) {
        let path = folders.own.join("HEAD");
        return Err(RepoError::GitText { path, why: "the name of its branch is too long" });
    }
    let common = Worktree::of(&folders.top).map(|it| it.common);
    Ok(RepoIdentity { common, ..RepoIdentity::of(folders.top, remote, branch) })
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
