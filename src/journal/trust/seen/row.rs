//! What was seen of a journal, as it is exported for another machine.

use serde::{Deserialize, Serialize};

use super::super::{hex, unhex};
use super::LastSeen;
use crate::event::Sequence;
use crate::journal::{Bookmark, Mark};

/// One line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeenRow {
    pub journal: String,
    /// Where it was seen.
    pub folder: String,
    /// The last event.
    pub sequence: u64,
    /// At the end of its commit.
    pub chain: String,
    pub segment: u64,
    /// The first byte behind that commit, in the segment's file.
    pub end: u64,
}

impl From<&LastSeen> for SeenRow {
    fn from(seen: &LastSeen) -> Self {
        let Bookmark { journal, segment, end, mark } = seen.at;
        let (journal, chain) = (hex(&journal), hex(&mark.chain));
        let folder = seen.folder.clone();
        Self { journal, folder, sequence: mark.sequence.0, chain, segment, end }
    }
}

impl SeenRow {
    /// `None` where it is no row of ours.
    pub fn parse(line: &str) -> Option<LastSeen> {
        let Self { journal, folder, sequence, chain, segment, end } =
            serde_json::from_str(line).ok()?; // as it says
        let mark = Mark { sequence: Sequence(sequence), chain: unhex(&chain)? };
        Some(LastSeen::elsewhere(
            Bookmark { journal: unhex(&journal)?, segment, end, mark },
            folder,
        ))
    }
}
