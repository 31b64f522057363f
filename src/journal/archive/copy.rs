//! Copies of segments, as an archive has them, of a journal that keeps its own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use annals_journal_format::archive::{
    ArchiveError, ArchiveFault, Manifest, data_name, manifest_name, read_manifest, unpack,
};
use annals_journal_format::segment::SegmentName;
use annals_journal_format::storage::{FsStorage, Storage};
use annals_journal_format::{SegmentNumber, Sequence as FormatSequence};
use serde::{Deserialize, Serialize};

use super::out::{Due, due, must_hold, packed, size_at};
use super::remote::Store;
use super::{MoveError, address, tiles};
use crate::event::wire::hex_text;
use crate::journal::enclosure::Kind;
use crate::journal::tlog::Tree;
use crate::journal::{Project, Reading, enclosure};

/// A segment that lies in a folder of copies, as whoever sent it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedSegment {
    pub segment: u64,
    /// The lowest sequence that an event in it may have, and the last up to its end.
    pub first: u64,
    pub last: u64,
    /// As it is, and as it lies there.
    pub bytes: u64,
    pub stored_bytes: u64,
    /// The blake3 of its manifest, in hex.
    pub manifest: String,
    /// Records of the journal up to its end, and the root over them, in hex.
    pub size: u64,
    pub root: String,
}

impl CopiedSegment {
    fn of(manifest: &Manifest) -> Self {
        Self {
            segment: manifest.name.number.0,
            first: manifest.name.first_sequence.0,
            last: manifest.mark.sequence.0,
            bytes: manifest.bytes,
            stored_bytes: manifest.stored_bytes(),
            manifest: hex_text(&manifest.digest()),
            size: manifest.size,
            root: hex_text(&manifest.root),
        }
    }

    /// Whether it is there, by names and lengths.
    fn lies(&self, there: &BTreeMap<String, Option<u64>>) -> bool {
        let (data, manifest) = (data_name(&self.name()), manifest_name(&self.name()));
        let data = there.get(&data).is_some_and(|it| it.is_none_or(|it| it == self.stored_bytes));
        data && there.contains_key(&manifest)
    }

    fn name(&self) -> SegmentName {
        let number = SegmentNumber(self.segment);
        SegmentName { number, first_sequence: FormatSequence(self.first) }
    }
}

/// What a folder of copies has by now.
#[derive(Debug)]
pub struct Copied {
    pub segments: Vec<CopiedSegment>,
    /// Those that were sent now.
    pub sent: u64,
}

/// How copies are made.
#[derive(Clone, Copy, Debug)]
pub struct CopyHow {
    /// Something was redacted since: whether each is of the segment's bytes is looked at.
    pub again: bool,
    /// Whatever lies there is looked at, every byte of it, and made anew where it is not what it should be.
    pub anew: bool,
    /// As a bucket is asked.
    pub patience: Duration,
}

/// Puts copies of all segments that another follows into an archive's folder, and the tiles of the tree. `known`: what lies
/// there by what was sent before. One of which the segment has other bytes by now is replaced, and one that is gone is sent
/// again. Killed anywhere and done again, the rest is done.
///
/// # Errors
/// Where the journal does not hold there, or something cannot be read or written.
pub fn copy(
    project: &Project,
    to: &Path,
    known: &[CopiedSegment],
    how: CopyHow,
) -> Result<Copied, MoveError> {
    let again = how.again || how.anew;
    address::must_be_known(to)?;
    let (journal, dir) = (project.journal()?, project.journal_dir());
    let through = journal.sync()?.sequence;
    let due = due(&project.reader()?, u64::MAX)?;
    let mut copied = Copied { segments: Vec::new(), sent: 0 };
    let folder = address::made(to, &journal.id(), &dir)?;
    let store = address::store(&folder, Some(how.patience))?;
    let there = lying(&folder, store.as_ref())?;
    let is_known = |segment: &Due| {
        known.iter().find(|it| it.name() == segment.name).filter(|it| it.lies(&there))
    };
    if let Some(last) = due.last().filter(|_| again || due.iter().any(|it| is_known(it).is_none()))
    {
        let first = due.iter().find(|it| again || is_known(it).is_none()).unwrap_or(last);
        must_hold(&dir, first.name.number.0, last.name.number.0)?;
        let tree = Tree::of(&dir, Reading::Live, Some(project.tlog_dir()), Some(through))?;
        let is_shared = store.is_none();
        for segment in &due {
            let before = is_known(segment);
            if let Some(before) = before.filter(|_| !again) {
                copied.segments.push(before.clone());
                continue;
            }
            let is_there = there.contains_key(&manifest_name(&segment.name));
            let anew = is_there && is_other(segment, &folder, store.as_ref(), how.anew)?;
            let written = packed(project, segment, &tree, (&folder, store.as_ref()), anew)?;
            copied.sent += u64::from(!written.was_there);
            copied.segments.push(CopiedSegment::of(&written.manifest));
        }
        let size = known.last().map_or(0, |it| it.size);
        tiles::put(&tree, size..size_at(&tree, last.mark.sequence.0)?, &folder, store.as_ref())?;
        if is_shared {
            share(&folder, mode_of(to)?)?;
        }
    } else {
        copied.segments.extend(due.iter().filter_map(is_known).cloned());
    }
    // What was moved to an archive since is there still.
    let gone =
        known.iter().filter(|it| it.lies(&there) && due.iter().all(|here| here.name != it.name()));
    copied.segments.extend(gone.cloned());
    copied.segments.sort_by_key(|it| it.segment);
    Ok(copied)
}

/// The names that lie in a folder of copies, each with its length where that is cheap to know.
fn lying(
    folder: &Path,
    store: Option<&Store>,
) -> Result<BTreeMap<String, Option<u64>>, ArchiveError> {
    if let Some(store) = store {
        let names = store.names(folder).map_err(failed(folder, "listed"))?;
        return Ok(names.into_iter().map(|name| (name, None)).collect());
    }
    let names = enclosure::names(folder).map_err(failed(folder, "listed"))?;
    let length = |name: &OsStr| Some(enclosure::look(&folder.join(name)).ok()?.bytes); // it went since
    let named = |(name, _): (OsString, _)| Some((name.to_str()?.to_owned(), length(&name)));
    Ok(names.into_iter().filter_map(named).collect())
}

/// Who may read the folder that copies lie in, as a mode.
fn mode_of(to: &Path) -> Result<u32, ArchiveError> {
    let about = fs::metadata(to).map_err(failed(to, "looked at"))?;
    Ok(about.mode() & 0o777)
}

/// An archive is its owner's alone; copies are for whoever may read the folder that they are sent to.
fn share(folder: &Path, mode: u32) -> Result<(), ArchiveError> {
    let open_up = |path: &Path, mode: u32| {
        fs::set_permissions(path, Permissions::from_mode(mode)).map_err(failed(path, "shared"))
    };
    for (name, kind) in enclosure::names(folder).map_err(failed(folder, "listed"))? {
        let path = folder.join(name);
        match kind {
            Kind::Folder => share(&path, mode)?,
            Kind::File => open_up(&path, 0o600 | mode & 0o044)?,
            _ => {}
        }
    }
    open_up(folder, 0o700 | mode & 0o055)
}

fn failed(path: &Path, did: &'static str) -> impl FnOnce(io::Error) -> ArchiveError {
    move |source| ArchiveError::Io { path: path.to_owned(), did, source }
}

/// Whether a copy lies there that is not of the segment's bytes. In a bucket `anew` says so of each: to look at it takes as long.
fn is_other(
    segment: &Due,
    folder: &Path,
    store: Option<&Store>,
    anew: bool,
) -> Result<bool, MoveError> {
    if anew && store.is_some() {
        return Ok(true);
    }
    let there = match read_manifest(folder, &segment.name) {
        Err(ArchiveError::Fault(fault)) if anew && fault.is_wrong => None,
        Ok(None) => return Ok(false),
        there => there?,
    };
    let mut hasher = blake3::Hasher::new();
    let file = enclosure::open(&segment.path, enclosure::OpenHow::Read)
        .map_err(failed(&segment.path, "read"))?;
    hasher.update_reader(file).map_err(failed(&segment.path, "read"))?;
    Ok(there.is_none_or(|it| it.blake3 != *hasher.finalize().as_bytes()))
}

/// Brings copies of segments into a folder, each held against its manifest, and that against what was said of it: a
/// journal's folder, to be read.
///
/// # Errors
/// Where one is missing, is another than was said, or cannot be read or written.
pub fn bring_copy(
    from: &Path,
    journal: &[u8; 16],
    segments: &[CopiedSegment],
    into: &Path,
) -> Result<(), MoveError> {
    let folder = address::found(from, journal)?;
    let fault = |what: &str, is_missing: bool| {
        let (path, what) = (folder.clone(), what.to_owned());
        ArchiveError::Fault(ArchiveFault { path, what, is_wrong: !is_missing, is_missing })
    };
    for segment in segments {
        let name = segment.name();
        let manifest = read_manifest(&folder, &name)?
            .ok_or_else(|| fault(&format!("does not have segment {}", segment.segment), true))?;
        if manifest.journal.0 != *journal || hex_text(&manifest.digest()) != segment.manifest {
            let what = format!("has another segment {} than was sent", segment.segment);
            return Err(fault(&what, false).into());
        }
        let path: PathBuf = into.join(name.to_string());
        unpack(&folder, &manifest, &path)?;
    }
    let synced = FsStorage.sync_folder(into);
    Ok(synced.map_err(failed(into, "flushed"))?)
}
