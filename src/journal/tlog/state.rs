//! Where the tiles in a folder end, and what of that is believed.

use std::path::Path;

use annals_journal_format::tree::{Hash, root};
use serde::{Deserialize, Serialize};

use super::tiles::TilePlace;
use crate::event::Sequence;
use crate::journal::trust::outside::{self, Kind};
use crate::journal::{Bookmark, Mark, derived_file};

pub(super) const VERSION: u32 = 2;
const STATE_BYTES_MAX: u64 = 16 << 20;

/// Where the tiles in a folder end.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub version: u32,
    pub journal: [u8; 16],
    pub size: u64,
    pub root: Hash,
    pub segment: u64,
    pub end: u64,
    pub sequence: u64,
    pub chain: [u8; 32],
    /// Numbers that no event has: the first event behind them, and how many are left out before it in all.
    pub left_out: Vec<(u64, u64)>,
    /// Ends of commits, some thousand records apart: where to begin to look for one.
    pub waypoints: Vec<Waypoint>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Waypoint {
    pub sequence: u64,
    pub segment: u64,
    pub end: u64,
    pub chain: [u8; 32],
}

impl Waypoint {
    pub fn at(self, journal: [u8; 16]) -> Bookmark {
        let mark = Mark { sequence: Sequence(self.sequence), chain: self.chain };
        Bookmark { journal, segment: self.segment, end: self.end, mark }
    }
}

/// Records between two waypoints.
pub(super) const STRIDE: u64 = 4096;

impl State {
    pub fn at(&self) -> Bookmark {
        let mark = Mark { sequence: Sequence(self.sequence), chain: self.chain };
        Bookmark { journal: self.journal, segment: self.segment, end: self.end, mark }
    }
}

pub(super) fn read(folder: &Path) -> Option<(State, [u8; 32])> {
    let bytes = derived_file::read(&folder.join("state.json"), STATE_BYTES_MAX)?;
    let state: State = serde_json::from_slice(&bytes).ok()?; // made anew
    (state.version == VERSION && state.size > 0).then(|| (state, digest(&bytes)))
}

pub(super) fn digest(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// Where a folder's tiles end, as this user's own program left them: anybody can write into the folder, so that
/// what it says is believed by what the user's own state says of it.
pub(super) fn known(folder: &Path, journal: &Path, id: &[u8; 16]) -> Option<State> {
    let (state, digest) = read(folder)?;
    let kept = outside::read(Kind::Tree, journal, id)?;
    let tiles = TilePlace::of(Some(folder.to_owned()), state.size);
    let holds = || root(&tiles, state.size).is_ok_and(|root| root == state.root);
    (state.journal == *id && kept == digest && holds()).then_some(state)
}
