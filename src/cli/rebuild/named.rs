//! What `annals rebuild` can be asked for by name.

use crate::repo::files::REPO_MEMORY;
use crate::stores::StoreName;

/// What can be rebuilt: a store, or the files of repositories' memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    Store(StoreName),
    RepoMemory,
}

impl Named {
    /// Reads a name, for clap.
    pub fn parse(name: &str) -> Result<Self, String> {
        if name == REPO_MEMORY {
            return Ok(Self::RepoMemory);
        }
        let mut names: Vec<&str> = StoreName::ALL.iter().map(|store| store.as_str()).collect();
        names.push(REPO_MEMORY);
        let store = StoreName::parse(name).map(Self::Store);
        store.ok_or_else(|| format!("stores are {}", names.join(" and ")))
    }

    /// The store, if it is one.
    pub fn store(self) -> Option<StoreName> {
        match self {
            Self::Store(store) => Some(store),
            Self::RepoMemory => None,
        }
    }
}
