//! Where files go that are not to be trusted and not to be lost.
//!
//! A name there is the store's, a number that grows with each arrival, and `.evidence` behind what says
//! something that the journal does not: that is never dropped to make room.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::dir::if_there;
use super::{StillStore, StoreError, connection};
use crate::event::Ordered;
use crate::journal::enclosure;
use crate::journal::enclosure::{Kind, OpenHow};

/// Numbers tried for a free name before giving up.
const NAMES_MAX: u64 = 1_000;
const DEPTH_MAX: u32 = 16;
const CHUNK_BYTES: usize = 64 << 10;
pub(crate) const EVIDENCE: &str = ".evidence";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// It goes, unless it cannot be read.
    Nothing,
    /// It is kept until the quarantine is full: the journal makes all of it again.
    Replaced,
    /// It is kept: it may hold what is nowhere else.
    Evidence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    pub files: u64,
    pub bytes: u64,
}

/// What lies in a quarantine. A store that is a folder counts as one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Quarantined {
    pub files: u64,
    pub bytes: u64,
    /// What is never dropped to make room: stores that say something that their journal does not, and
    /// whatever a person put there.
    pub evidence_files: u64,
    pub evidence_bytes: u64,
}

impl Quarantined {
    pub fn of(folder: &Path) -> Result<Self, StoreError> {
        let mut all = Self::default();
        for entry in entries(folder)? {
            let (files, bytes) = match entry.arrival {
                Some(_) => (&mut all.files, &mut all.bytes),
                None => (&mut all.evidence_files, &mut all.evidence_bytes),
            };
            *files += 1;
            *bytes += entry.bytes;
        }
        Ok(all)
    }

    /// What [`Self::bound`] would drop.
    pub fn beyond(folder: &Path, bound: Bound) -> Result<Self, StoreError> {
        let beyond = beyond(folder, bound)?;
        let bytes = beyond.iter().map(|entry| entry.bytes).sum();
        Ok(Self { files: beyond.len() as u64, bytes, ..Self::default() })
    }

    /// Drops what came first until the rest is within the bound. Answers what was dropped.
    pub fn bound(folder: &Path, bound: Bound) -> Result<Self, StoreError> {
        let mut dropped = Self::default();
        for entry in beyond(folder, bound)? {
            let gone = if_there(enclosure::remove_whole(&entry.path));
            // Another process makes room as well.
            if gone
                .map_err(|source| StoreError::io(&entry.path, "emptying the quarantine", source))?
                .is_some()
            {
                dropped.files += 1;
                dropped.bytes += entry.bytes;
            }
        }
        Ok(dropped)
    }
}

/// What came first, until the rest is within the bound.
fn beyond(folder: &Path, bound: Bound) -> Result<Vec<Entry>, StoreError> {
    let mut entries = entries(folder)?;
    entries.retain(|entry| entry.arrival.is_some());
    entries.order_by_key(|entry| entry.arrival);
    let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    let mut files = entries.len() as u64;
    let is_beyond = |entry: &Entry| {
        let is_beyond = files > bound.files || bytes > bound.bytes;
        (files, bytes) = (files - 1, bytes - entry.bytes);
        is_beyond
    };
    let count = entries.iter().map(is_beyond).take_while(|is_beyond| *is_beyond).count();
    entries.truncate(count);
    Ok(entries)
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    arrival: Option<u64>,
}

fn entries(folder: &Path) -> Result<Vec<Entry>, StoreError> {
    let names = if_there(enclosure::names(folder)).map_err(|source| looking(folder, source))?;
    let entry = |(name, kind): (OsString, Kind)| {
        let path = folder.join(&name);
        let bytes = size(&path, kind, DEPTH_MAX)?;
        let arrival = number(&name).filter(|_| !is_evidence(&name) || bytes == 0);
        Ok(Entry { bytes, path, arrival })
    };
    names.into_iter().flatten().map(entry).collect()
}

/// The bytes of a file, or of everything in a folder; no link is followed.
fn size(path: &Path, kind: Kind, depth: u32) -> Result<u64, StoreError> {
    let listed = match kind {
        Kind::Folder if depth == 0 => Ok(Vec::new()),
        Kind::Folder => enclosure::names(path),
        _ => match enclosure::look(path) {
            Ok(look) => return Ok(look.bytes),
            Err(error) => Err(error),
        },
    };
    let names = if_there(listed).map_err(|source| looking(path, source))?;
    let size = |(name, kind)| size(&path.join(name), kind, depth.saturating_sub(1));
    names.into_iter().flatten().map(size).sum()
}

fn looking(path: &Path, source: io::Error) -> StoreError {
    StoreError::io(path, "looking into the quarantine", source)
}

fn is_evidence(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(EVIDENCE.as_bytes())
}

fn number(name: &OsStr) -> Option<u64> {
    let name = name.to_str()?;
    let (_, number) = name.strip_suffix(EVIDENCE).unwrap_or(name).rsplit_once('.')?;
    number.parse().ok() // another's name has none
}

/// Moves a file into the quarantine folder under a name nobody has; `None` where it is not there.
pub(crate) fn quarantine(
    file: &Path,
    folder: &Path,
    keep: Keep,
) -> Result<Option<PathBuf>, StoreError> {
    let failed = |source| StoreError::io(file, "moving it to quarantine", source);
    if if_there(enclosure::look(file)).map_err(failed)?.is_none() {
        return Ok(None);
    }
    let making = |source| StoreError::io(folder, "making the quarantine folder", source);
    enclosure::make_folders(folder).map_err(making)?;
    let keep = match keep {
        Keep::Evidence if has_nothing(file) => Keep::Replaced,
        keep => keep,
    };
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mark = if keep == Keep::Evidence { EVIDENCE } else { "" };
    let there = enclosure::names(folder).map_err(failed)?;
    if keep == Keep::Evidence
        && let Some(same) = same(file, folder, &name, &there).map_err(failed)?
    {
        enclosure::remove_whole(file).map_err(failed)?;
        return Ok(Some(same));
    }
    let first = there.iter().filter_map(|(name, _)| number(name)).max().unwrap_or(0);
    for number in (1..=NAMES_MAX).map(|step| first.saturating_add(step)) {
        let kept = folder.join(format!("{name}.{number}{mark}"));
        // Nothing is replaced: two processes cannot choose the same name.
        match enclosure::rename_new(file, &kept) {
            Ok(()) => return Ok(Some(kept)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Err(failed(io::Error::from(io::ErrorKind::AlreadyExists)))
}

/// What is kept as evidence already and is the same, byte for byte.
fn same(
    file: &Path,
    folder: &Path,
    name: &str,
    there: &[(OsString, Kind)],
) -> io::Result<Option<PathBuf>> {
    let look = enclosure::look(file)?;
    let is_file = |kind| kind == Kind::File;
    if !is_file(look.kind) {
        return Ok(None);
    }
    let is_its = |kept: &OsStr| kept.as_encoded_bytes().starts_with(format!("{name}.").as_bytes());
    let mut own = None;
    for (kept, _) in there.iter().filter(|(kept, kind)| is_file(*kind) && is_its(kept)) {
        let path = folder.join(kept);
        if !is_evidence(kept) || enclosure::look(&path)?.bytes != look.bytes {
            continue;
        }
        let own = match own {
            Some(own) => own,
            None => *own.insert(hash(file)?),
        };
        if hash(&path)? == own {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn hash(path: &Path) -> io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(enclosure::open(path, OpenHow::Read)?)?;
    Ok(hasher.finalize())
}

/// Whether a file is empty, nothing but zeros, or a database without a table, and nothing lies beside it that
/// SQLite reads: nobody's data.
pub fn has_nothing(file: &Path) -> bool {
    let is_zero = || -> io::Result<bool> {
        let mut file = enclosure::open(file, OpenHow::Read)?;
        let mut bytes = vec![0; CHUNK_BYTES];
        loop {
            match file.read(&mut bytes)? {
                0 => return Ok(true),
                read if bytes[..read].iter().any(|byte| *byte != 0) => return Ok(false),
                _ => {}
            }
        }
    };
    // What cannot be read may be anything.
    enclosure::look(file).is_ok_and(|look| look.is_file())
        && StillStore::is_alone(file)
        && (is_zero().unwrap_or(false) || has_no_table(file).unwrap_or(false))
}

fn has_no_table(file: &Path) -> Result<bool, StoreError> {
    let counted = "SELECT NOT EXISTS (SELECT 1 FROM sqlite_master)";
    let told = connection::open_still(file)?.query_row(counted, [], |row| row.get(0));
    told.map_err(|source| StoreError::sql(file, "looking for its tables", source))
}
