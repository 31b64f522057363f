//! Which repository a folder belongs to, and what its hash is made of.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::event::{Body, RepoHash, RepoIdentified};
use crate::repo::query::{MEMORY_VERSION, RepoMemory};

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
    /// blake3 of these: of the path alone where there is no remote.
    pub hash: RepoHash,
}

impl RepoIdentity {
    /// The identity that these make. Each part goes in behind its length (u64, little endian), so
    /// that no two lists of parts are the same bytes.
    pub(super) fn of(top: PathBuf, remote: Option<String>, branch: Option<String>) -> Self {
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
        Self { top, remote, branch, hash }
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
        }
    }

    /// The fact that this repository was met.
    pub fn event(&self) -> Body {
        Body::RepoIdentified(RepoIdentified {
            repo: self.hash,
            path: self.top.to_string_lossy().into_owned(),
            remote: self.remote.clone(),
            branch: self.branch.clone(),
        })
    }
}
