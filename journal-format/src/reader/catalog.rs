//! Which segments there are, and where each ends.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::ReadError;
use super::listed::{Listed, Standing};
use crate::archive::ArchiveFault;
use crate::limits::SEGMENTS_MAX;
use crate::lock::{self, LOCK_NAME, TailSlot};
use crate::segment::{SegmentHeader, SegmentName};
use crate::storage::{OpenHow, Storage};
use crate::units::{JournalId, Offset, SegmentNumber, Sequence};

/// The segments of a journal in order, as their headers stood when they were listed.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// `None` for one segment alone.
    pub folder: Option<PathBuf>,
    pub journal: JournalId,
    pub segments: Vec<Listed>,
    /// What `LOCK` says of the tail, if it is this journal's: a witness, never more.
    pub slot: Option<TailSlot>,
    /// The last event that is known to have been in it, whatever is left: 0 where none is.
    pub seen: Sequence,
    /// What the disk does not give is taken for damage by whoever reads on from here.
    pub forgiving: bool,
}

impl Catalog {
    /// Lists a journal's folder, or takes one segment file.
    pub fn read<S: Storage>(storage: &S, path: &Path) -> Result<Self, ReadError> {
        Self::read_as(storage, path, false)
    }

    /// As [`Self::read`]; forgiving, a segment that the disk does not give is one whose header is
    /// damaged.
    pub fn read_as<S: Storage>(
        storage: &S,
        path: &Path,
        forgiving: bool,
    ) -> Result<Self, ReadError> {
        let looks_like_a_segment = path.extension().is_some_and(|it| it == "seg");
        if looks_like_a_segment && storage.open(path, OpenHow::Read).is_ok() {
            return Self::lone(storage, path, forgiving);
        }
        // Before the names: what it vouches for was there before it, so that a segment which a
        // writer makes meanwhile is never missed.
        let slot = read_slot(storage, path);
        match storage.list(path) {
            Ok(names) => Self::of_folder(storage, path, &names, slot, forgiving),
            Err(_) if storage.open(path, OpenHow::Read).is_ok() => {
                Self::lone(storage, path, forgiving)
            }
            Err(source) => Err(ReadError::Io { path: path.into(), did: "listed", source }),
        }
    }

    /// As [`Self::read`] for a folder; of the segments only that number and those behind it.
    pub fn since<S: Storage>(
        storage: &S,
        folder: &Path,
        first: SegmentNumber,
    ) -> Result<Self, ReadError> {
        let slot = read_slot(storage, folder);
        let mut names = storage.list(folder).map_err(|source| ReadError::Io {
            path: folder.into(),
            did: "listed",
            source,
        })?;
        names.retain(|name| SegmentName::parse(name).is_some_and(|it| it.number >= first));
        Self::of_folder(storage, folder, &names, slot, false)
    }

    fn lone<S: Storage>(storage: &S, path: &Path, forgiving: bool) -> Result<Self, ReadError> {
        let named = path.file_name().and_then(|it| it.to_str()).and_then(SegmentName::parse);
        let segment = match (Listed::read(storage, path, None), named) {
            // Where its header is gone, what its name says is all there is.
            (Err(ReadError::Header { .. }), Some(name)) => Listed::read(storage, path, Some(name))?,
            (read, _) => read?,
        };
        let journal = segment.header.map(|header| header.journal).unwrap_or_default();
        let segments = vec![segment];
        let seen = Sequence(0);
        Ok(Self { folder: None, journal, segments, slot: None, seen, forgiving })
    }

    fn of_folder<S: Storage>(
        storage: &S,
        folder: &Path,
        names: &[String],
        slot: Option<TailSlot>,
        forgiving: bool,
    ) -> Result<Self, ReadError> {
        let mut names: Vec<_> = names.iter().filter_map(|name| SegmentName::parse(name)).collect();
        if names.is_empty() {
            return Err(ReadError::NoSegments { folder: folder.into() });
        }
        if names.len() > SEGMENTS_MAX {
            return Err(ReadError::TooManySegments { folder: folder.into() });
        }
        names.sort_unstable();
        let mut segments = Vec::with_capacity(names.len());
        for name in names {
            let path = folder.join(name.to_string());
            segments.push(match Listed::read(storage, &path, Some(name)) {
                Err(ReadError::Io { .. }) if forgiving => Listed::unread(path, name),
                // A note that says nothing is not what was moved: that is damage, and the rest is read.
                Err(ReadError::Io { source, .. }) if is_wrong(&source) => {
                    Listed::unread(path, name)
                }
                read => read?,
            });
        }
        let journal = most_named(&segments);
        for segment in &mut segments {
            match &mut segment.header {
                Some(header) if segment.standing == Standing::HeaderRebuilt => {
                    header.journal = journal;
                }
                Some(header) if header.journal != journal => segment.standing = Standing::Foreign,
                _ => {}
            }
        }
        // Where no header is left to name the journal, nothing speaks against the slot's.
        let is_nameless = journal == JournalId::default();
        let slot = slot.filter(|slot| is_nameless || slot.journal == journal);
        let folder = Some(folder.into());
        let seen = Sequence(0);
        let mut catalog = Self { folder, journal, segments, slot, seen, forgiving };
        catalog.refuse_doubles();
        Ok(catalog)
    }

    /// Of several sound segments under one number only the first stays.
    fn refuse_doubles(&mut self) {
        let mut last = None;
        for segment in &mut self.segments {
            if segment.standing == Standing::Sound {
                if last == Some(segment.name.number) {
                    segment.standing = Standing::Foreign;
                }
                last = Some(segment.name.number);
            }
        }
    }

    /// Takes over what an older listing knew of places in segments that are still the same.
    pub fn remember(&mut self, older: &Self) {
        for segment in &mut self.segments {
            let known = older.segments.binary_search_by_key(&segment.name, |it| it.name);
            if let Ok(index) = known
                && let (Some(old), Some(new)) = (older.segments[index].header, segment.header)
                && old.nonce == new.nonce
            {
                segment.waypoints = Arc::clone(&older.segments[index].waypoints);
            }
        }
    }

    /// Where the segment at `index` ends by its successor's header, and the highest sequence
    /// that anything behind it vouches for.
    pub fn bound_of(&self, index: usize) -> (Option<Offset>, Sequence) {
        let number = self.segments[index].name.number;
        let mut later =
            self.segments[index + 1..].iter().filter(|it| it.standing != Standing::Foreign);
        if let Some(next) = later.clone().next()
            && next.standing == Standing::HeaderRebuilt
        {
            // Its header said where this one ends; its name still says with which sequence.
            return (None, Sequence(next.name.first_sequence.0.saturating_sub(1)));
        }
        let Some(next) = later.clone().find_map(Listed::sound) else {
            let before = later.next_back().map(|it| it.name);
            let before = before.map_or(0, |name| name.first_sequence.0.saturating_sub(1));
            let proven = self.slot.filter(|slot| slot.segment >= number);
            let proven = proven.map_or(Sequence(0), |slot| slot.proven.sequence);
            return (None, proven.max(self.seen).max(Sequence(before)));
        };
        let adjacent = next.number.0 == number.0 + 1;
        (adjacent.then_some(next.previous.end), next.previous.sequence)
    }

    /// The sound segment in which `sequence` would lie, or the first there is.
    pub fn index_of(&self, sequence: Sequence) -> Option<usize> {
        let sound = |it: &Listed| it.walkable().is_some();
        let holds = |it: &Listed| sound(it) && it.name.first_sequence <= sequence;
        // A foreign segment may have any name: the names are not in order of sequence.
        let before = self.segments.iter().rposition(holds);
        before.or_else(|| self.segments.iter().position(sound))
    }

    /// The last segment that can be walked.
    pub fn last_sound(&self) -> Option<usize> {
        self.segments.iter().rposition(|it| it.walkable().is_some())
    }

    /// The last segment of this journal, walkable or not, before an index.
    pub fn own_before(&self, index: usize) -> Option<&Listed> {
        let before = &self.segments[..index.min(self.segments.len())];
        before.iter().rev().find(|it| it.standing != Standing::Foreign)
    }
}

fn is_wrong(error: &io::Error) -> bool {
    ArchiveFault::of(error).is_some_and(|fault| fault.is_wrong)
}

/// The tail slot, where there is a sound one; a copy of a journal may well have none.
fn read_slot<S: Storage>(storage: &S, folder: &Path) -> Option<TailSlot> {
    let file = storage.open(&folder.join(LOCK_NAME), OpenHow::Read).ok()?;
    lock::read_slot(&file).ok()?
}

/// The journal that most headers name; of several the one with the lowest segment.
fn most_named(segments: &[Listed]) -> JournalId {
    let mut counts: BTreeMap<[u8; 16], (usize, usize)> = BTreeMap::new();
    for (index, segment) in segments.iter().enumerate() {
        if let Some(header) = segment.header.filter(|_| segment.standing != Standing::HeaderRebuilt)
        {
            counts.entry(header.journal.0).or_insert((0, usize::MAX - index)).0 += 1;
        }
    }
    let most = counts.into_iter().max_by_key(|(_, weight)| *weight);
    JournalId(most.map(|(journal, _)| journal).unwrap_or_default())
}

impl Catalog {
    /// Looks for a successor that was made since the listing: where it says that the segment
    /// ends, and with which sequence.
    pub fn successor<S: Storage>(
        storage: &S,
        folder: &Path,
        header: &SegmentHeader,
    ) -> io::Result<Option<(Offset, Sequence)>> {
        let mut names = storage.list(folder)?;
        names.retain(|name| {
            SegmentName::parse(name).is_some_and(|it| it.number.0 == header.number.0 + 1)
        });
        for name in names {
            let Ok(next) = Listed::read(storage, &folder.join(&name), SegmentName::parse(&name))
            else {
                continue;
            };
            if let Some(next) = next.sound()
                && next.journal == header.journal
            {
                return Ok(Some((next.previous.end, next.previous.sequence)));
            }
        }
        Ok(None)
    }
}
