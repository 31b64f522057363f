//! `.cursor.json`: how far a repository's files go, what they are to be and what they were.

use std::collections::BTreeMap;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use super::lines::Reached;
use crate::store::dir::Dir;
use crate::store::fuse;

const NAME: &str = ".cursor.json";
const NEW: &str = ".cursor.json.new";
const BYTES_MAX: u64 = 16 << 20;

/// How far a repository's files go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sidecar {
    /// Whose they are, hexadecimal.
    pub journal: String,
    /// The last event that is in them.
    pub sequence: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Whole>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summaries: Option<Lines>,
    /// By the file's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub indexes: BTreeMap<String, Whole>,
}

/// A file that is written whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Whole {
    /// blake3 of it, hexadecimal.
    pub hash: String,
    /// What it was before, should its writer have died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// Its number in the file system: known before it has its name.
    pub inode: u64,
    /// How long it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The last event that is in it.
    pub sequence: u64,
    /// What it is made of, by name, each with its digest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, String>,
}

/// A file that is appended to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Lines {
    pub now: Reached,
    /// How it ended before, should its writer have died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Reached>,
}

impl Sidecar {
    /// Reads it; `None` where there is none, or none that can be read as one.
    pub fn read(dir: &Dir) -> io::Result<Option<Self>> {
        let file = match dir.read(NAME) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(None),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(error),
            // Something else has its name: the next one is renamed over it.
            Err(_) => return Ok(None),
        };
        let mut bytes = Vec::new();
        file.take(BYTES_MAX).read_to_end(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes).ok()) // as said
    }

    /// Takes away what a dead writer left beside it.
    pub fn sweep(dir: &Dir) -> io::Result<()> {
        if dir.has(NEW)? { dir.remove(NEW) } else { Ok(()) }
    }

    /// Puts it in the place of the one before, durable.
    pub fn write(&self, dir: &Dir) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        dir.remove(NEW)?;
        let mut file = dir.create(NEW)?;
        fuse::write(&mut file, &bytes)?;
        fuse::sync(&file)?;
        dir.rename(NEW, dir, NAME)
    }
}
