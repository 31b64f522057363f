//! What a machine says of a journal that it sent.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::{FleetError, Result};
use crate::event::Sequence;
use crate::event::wire::hex_text;
use crate::journal::JournalReader;
use crate::journal::archive::CopiedSegment;

const VERSION: u32 = 1;
/// A segment is 400 bytes of it.
pub(super) const BYTES_MAX: u64 = 64 << 20;

/// Where states lie, and those of other histories.
pub const STATES: &str = "_annals/state";
pub(super) const FORKS: &str = "_annals/forks";
/// Where copies of segments lie, a folder a journal.
pub(super) const SEGMENTS: &str = "_annals/segments";

/// A journal, as it was sent last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shipped {
    pub(super) version: u32,
    /// Its id, in hex.
    pub journal: String,
    /// The machine that it was begun on, and the one that sent it.
    pub machine: String,
    pub host: String,
    /// When, by that machine's clock, Unix milliseconds.
    pub at_ms: u64,
    /// Its last event then, the chain up to it in hex, and when that was recorded.
    pub through: u64,
    pub chain: String,
    pub last_event_ms: Option<u64>,
    /// Records of the tree, and the root over them in hex.
    pub size: u64,
    pub root: String,
    /// The last checkpoint that was signed, as a signed note.
    pub checkpoint: Option<String>,
    /// The event that the tables go to; `None` where none were written.
    pub tables: Option<u64>,
    /// Something that was recorded is lost or changed, or a segment cannot be copied as it is.
    pub damaged: bool,
    /// What does not hold or fit, by kind; empty where everything does.
    pub findings: BTreeMap<String, u64>,
    pub segments: Vec<CopiedSegment>,
}

impl Shipped {
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Self> {
        let wrong = |what: String| FleetError::State { path: path.to_owned(), what };
        let read: Self = serde_json::from_slice(bytes).map_err(|error| wrong(error.to_string()))?;
        if read.version != VERSION {
            let what = format!("its version is {}, and {VERSION} is read here", read.version);
            return Err(wrong(what));
        }
        let is_id =
            read.journal.len() == 32 && read.journal.bytes().all(|it| it.is_ascii_hexdigit());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match is_id && name.starts_with(&read.journal) {
            true => Ok(read),
            false => Err(wrong(format!("it is of journal {:?}", read.journal))),
        }
    }

    /// One of which nothing is known yet.
    pub(super) fn new(journal: String, machine: String, host: String) -> Self {
        Self {
            version: VERSION,
            journal,
            machine,
            host,
            at_ms: 0,
            through: 0,
            chain: String::new(),
            last_event_ms: None,
            size: 0,
            root: String::new(),
            checkpoint: None,
            tables: None,
            damaged: false,
            findings: BTreeMap::new(),
            segments: Vec::new(),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Texts and numbers: there is none that could not be written.
        serde_json::to_vec_pretty(self).unwrap_or_default()
    }

    /// Whether a journal contains what was sent.
    pub(super) fn is_of(&self, reader: &JournalReader) -> Result<bool> {
        let at = Sequence(self.through);
        Ok(at == Sequence(0)
            || reader.mark_at(at)?.is_some_and(|mark| hex_text(&mark.chain) == self.chain))
    }
}

/// The name of a journal's state.
pub(super) fn name_of(journal: &str) -> String {
    format!("{STATES}/{journal}.json")
}
