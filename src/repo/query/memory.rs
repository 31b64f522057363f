//! What a repository remembers, as `memory.json` has it.

use serde::{Serialize, Serializer};

use super::{Convention, Decision, Note};
use crate::event::RepoHash;

/// The version that `memory.json` names.
pub const MEMORY_VERSION: u64 = 1;

/// What a repository remembers, as `memory.json` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RepoMemory {
    pub version: u64,
    #[serde(serialize_with = "hash")]
    pub repo_hash: RepoHash,
    /// The working tree's top folder; `None` where the event that told it is lost.
    pub path: Option<String>,
    pub remote: Option<String>,
    pub branch: Option<String>,
    /// The repositories that it is linked with, whose memory is in here too.
    #[serde(serialize_with = "hashes")]
    pub linked: Vec<RepoHash>,
    pub conventions: Vec<Convention>,
    pub decisions: Vec<Decision>,
    pub notes: Vec<Note>,
}

impl RepoMemory {
    /// The bytes of `memory.json`.
    pub fn to_json(&self) -> String {
        // Texts and numbers always serialise.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn hash<S: Serializer>(hash: &RepoHash, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(hash)
}

fn hashes<S: Serializer>(hashes: &[RepoHash], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(hashes.iter().map(RepoHash::to_string))
}
