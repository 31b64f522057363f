//! The tree of one journal, brought up to where that is on disk.

use std::path::{Path, PathBuf};

use annals_journal_format::frame::{Flags, layout};
use annals_journal_format::tree::{
    Builder, Hash, LeafStep, TILE_HASHES, TileAt, Tiles, consistency, inclusion, leaves, root,
};
use annals_journal_format::verify::VerifyFrom;

use super::TlogError;
use super::state::{STRIDE, State, VERSION, Waypoint, digest, known, read};
use super::tiles::TilePlace;
use crate::event::Sequence;
use crate::journal::trust::outside::{self, Kind};
use crate::journal::{Bookmark, JournalError, JournalReader, Mark, Reading, derived_file};

/// The tree over all records of a journal, up to the last commit that was on disk when it was asked for.
pub struct Tree {
    tiles: TilePlace,
    state: State,
    /// Of the leaves that were walked over, those of which the record is redacted, by their places.
    redacted: Vec<u64>,
}

impl Tree {
    /// That of a journal's folder, a segment or a bundle; what is known of it is kept in `folder`, where one is
    /// given. `through`: the last event that is on disk.
    ///
    /// # Errors
    /// Where a record is damaged or lost: what stands behind it has no place then.
    pub fn of(
        journal: &Path,
        reading: Reading,
        folder: Option<PathBuf>,
        through: Option<Sequence>,
    ) -> Result<Self, TlogError> {
        let reader = JournalReader::reading(journal, reading)?;
        let known = folder.as_deref().and_then(|it| known(it, journal, &reader.id()));
        // What was of a history that is not the journal's any more may tell later which record is another.
        let is_other = known.as_ref().is_some_and(|it| !reader.has(&it.at()));
        let (folder, known) = if is_other { (None, None) } else { (folder, known) };
        let before = known.as_ref().map(|it| (it.size, it.end));
        let state = known.unwrap_or_else(|| State {
            version: VERSION,
            journal: reader.id(),
            sequence: reader.begins_after().0,
            ..State::default()
        });
        let tiles = TilePlace::of(folder.clone(), state.size);
        let mut tree = Self { tiles, state, redacted: Vec::new() };
        tree.grow(journal, reading, through, true)?;
        if let Some(folder) = folder.filter(|_| before != Some((tree.state.size, tree.state.end))) {
            tree.keep(&folder, journal)?;
        }
        Ok(tree)
    }

    /// That of the bytes as they are, by nothing that was kept, also where the chain is broken.
    pub fn afresh(journal: &Path, reading: Reading) -> Result<Self, TlogError> {
        let reader = JournalReader::reading(journal, reading)?;
        let (version, journal_id) = (VERSION, reader.id());
        let sequence = reader.begins_after().0;
        let state = State { version, journal: journal_id, sequence, ..State::default() };
        let mut tree = Self { tiles: TilePlace::default(), state, redacted: Vec::new() };
        tree.grow(journal, reading, None, false)?;
        Ok(tree)
    }

    fn grow(
        &mut self,
        journal: &Path,
        reading: Reading,
        through: Option<Sequence>,
        chain: bool,
    ) -> Result<(), TlogError> {
        let storage = reading.storage(journal)?;
        let from = (self.state.size > 0).then(|| {
            let place = self.state.at().place();
            VerifyFrom { segment: place.end.segment, at: Some((place.end.offset, place.mark)) }
        });
        let builder = Builder::resume(&self.tiles, self.state.size);
        let mut builder = builder.map_err(|source| self.io(source))?;
        let (mut state, mut lost, mut redacted) = (self.state.clone(), None, Vec::new());
        let tiles = &self.tiles;
        let mut take = |step: LeafStep<'_>| match step {
            LeafStep::Lost(finding) => {
                lost = Some(finding.to_string());
                false
            }
            LeafStep::Leaf { sequence, .. } if sequence.0 <= state.sequence => true,
            LeafStep::Leaf { sequence, .. } if through.is_some_and(|it| sequence.0 > it.0) => false,
            LeafStep::Leaf { sequence, leaf, frame } => {
                if Flags(frame[layout::FLAGS_AT]).has(Flags::REDACTED) {
                    redacted.push(builder.size());
                }
                let gap = sequence.0 - state.sequence - 1;
                if gap > 0 {
                    let before = state.left_out.last().map_or(0, |(_, count)| *count);
                    state.left_out.push((sequence.0, before + gap));
                }
                state.sequence = sequence.0;
                builder.push(leaf, &mut |name, hashes| tiles.hold(name, hashes));
                true
            }
            LeafStep::Commit(end) => {
                let end = Bookmark::from(end);
                (state.segment, state.end, state.chain) = (end.segment, end.end, end.mark.chain);
                if builder.size() / STRIDE > state.size / STRIDE {
                    let Bookmark { segment, end, mark, .. } = end;
                    let (sequence, chain) = (mark.sequence.0, mark.chain);
                    state.waypoints.push(Waypoint { sequence, segment, end, chain });
                }
                state.size = builder.size();
                true
            }
        };
        let walked = leaves(&storage, journal, from, chain, &mut take);
        walked.map_err(|source| JournalError::Read { path: journal.to_owned(), source })?;
        if let Some(what) = lost {
            return Err(TlogError::Lost { what });
        }
        for (name, hashes) in builder.partial() {
            self.tiles.hold(name, hashes);
        }
        // A commit that ends is all that can have been taken: of another something is lost.
        self.state = state;
        self.redacted = redacted;
        self.state.root = self.root(self.state.size)?;
        Ok(())
    }

    fn keep(&self, folder: &Path, journal: &Path) -> Result<(), TlogError> {
        let write = || {
            crate::journal::enclosure::make_folders(folder)?;
            self.tiles.write(self.state.size)?;
            let bytes = serde_json::to_vec(&self.state)?;
            derived_file::replace(&folder.join("state.json"), &bytes)?;
            // Where it cannot be kept, the tree is made of the journal alone each time.
            drop(outside::keep(Kind::Tree, journal, &self.state.journal, &digest(&bytes)));
            Ok(())
        };
        write().map_err(|source| TlogError::Io { path: folder.to_owned(), did: "written", source })
    }

    pub fn journal(&self) -> [u8; 16] {
        self.state.journal
    }

    /// Records in it.
    pub fn size(&self) -> u64 {
        self.state.size
    }

    /// How many of its first leaves are of records that are redacted, where it was made [`Self::afresh`].
    pub fn redacted(&self, size: u64) -> u64 {
        self.redacted.partition_point(|at| *at < size) as u64
    }

    /// The end of the last commit in it.
    pub fn mark(&self) -> Mark {
        self.state.at().mark
    }

    pub fn root(&self, size: u64) -> Result<Hash, TlogError> {
        self.must_have(size)?;
        root(&self.tiles, size).map_err(|source| self.io(source))
    }

    /// The place of an event: the number of records before it.
    pub fn index(&self, at: Sequence) -> Result<u64, TlogError> {
        let missing = TlogError::NoEvent { at };
        let first = self.first();
        if at.0 <= first || at.0 > self.state.sequence {
            return Err(missing);
        }
        let behind = self.state.left_out.partition_point(|(begin, _)| *begin <= at.0);
        let left_out = |at: usize| at.checked_sub(1).map_or(0, |it| self.state.left_out[it].1);
        if let Some((begin, count)) = self.state.left_out.get(behind)
            && at.0 >= begin - (count - left_out(behind))
        {
            return Err(missing);
        }
        Ok(at.0 - first - 1 - left_out(behind))
    }

    /// The event at a place.
    pub fn sequence(&self, index: u64) -> Sequence {
        let first = self.first();
        let left_out = self.state.left_out.iter();
        let before = left_out.take_while(|(begin, count)| begin - first - 1 - count <= index);
        Sequence(first + 1 + index + before.last().map_or(0, |(_, count)| *count))
    }

    /// The number before the first that could be in it.
    fn first(&self) -> u64 {
        let left_out = self.state.left_out.last().map_or(0, |(_, count)| *count);
        self.state.sequence - self.state.size - left_out
    }

    pub fn inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>, TlogError> {
        self.must_have(size)?;
        inclusion(&self.tiles, index, size).map_err(|source| self.io(source))
    }

    pub fn consistency(&self, first: u64, size: u64) -> Result<Vec<Hash>, TlogError> {
        self.must_have(size)?;
        self.must_have(first)?;
        consistency(&self.tiles, first, size).map_err(|source| self.io(source))
    }

    /// What a record's leaf is made of (FORMAT.md §6).
    pub fn record(
        &self,
        journal: &Path,
        reading: Reading,
        at: Sequence,
    ) -> Result<Vec<u8>, TlogError> {
        let storage = reading.storage(journal)?;
        let mut found = None;
        let reader = JournalReader::reading(journal, reading)?;
        let known = self.state.waypoints.partition_point(|it| it.sequence < at.0);
        let from = match known.checked_sub(1).map(|last| self.state.waypoints[last]) {
            Some(it) if reader.has(&it.at(self.state.journal)) => {
                let place = it.at(self.state.journal).place();
                Some(VerifyFrom {
                    segment: place.end.segment,
                    at: Some((place.end.offset, place.mark)),
                })
            }
            _ => None,
        };
        let mut take = |step: LeafStep<'_>| match step {
            LeafStep::Leaf { sequence, frame, .. } if sequence.0 == at.0 => {
                found = Some(frame.to_vec());
                false
            }
            LeafStep::Leaf { sequence, .. } => sequence.0 < at.0,
            LeafStep::Commit(_) | LeafStep::Lost(_) => true,
        };
        let walked = leaves(&storage, journal, from, false, &mut take);
        walked.map_err(|source| JournalError::Read { path: journal.to_owned(), source })?;
        found.ok_or(TlogError::NoEvent { at })
    }

    /// The first hashes of a tile.
    pub fn tile(&self, at: TileAt, width: usize) -> Result<Vec<Hash>, TlogError> {
        let mut tile = self.tiles.tile(at, width).map_err(|source| self.io(source))?;
        tile.truncate(width);
        Ok(tile)
    }

    /// A leaf, by its place.
    pub fn leaf(&self, index: u64) -> Result<Hash, TlogError> {
        self.must_have(index + 1)?;
        let at = TileAt { level: 0, number: index / TILE_HASHES as u64 };
        let place = (index % TILE_HASHES as u64) as usize;
        let tile = self.tile(at, place + 1)?;
        Ok(tile.get(place).copied().unwrap_or_default())
    }

    fn must_have(&self, asked: u64) -> Result<(), TlogError> {
        let size = self.state.size;
        if asked > size { Err(TlogError::Beyond { asked, size }) } else { Ok(()) }
    }

    fn io(&self, source: std::io::Error) -> TlogError {
        TlogError::Io { path: PathBuf::from("tile"), did: "read", source }
    }
}

impl Tree {
    /// What a folder's tiles say, whoever wrote them.
    pub fn as_kept(folder: &Path) -> Option<Self> {
        let (state, _) = read(folder)?;
        let tiles = TilePlace::of(Some(folder.to_owned()), state.size);
        Some(Self { tiles, state, redacted: Vec::new() })
    }
}
