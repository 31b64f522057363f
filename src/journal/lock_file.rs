//! A journal's `LOCK`, seen from outside: whether writers can go by it, and what it witnesses.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{io, thread};

use annals_journal_format::limits::HEADER_PAGE_BYTES;
use annals_journal_format::lock::{LOCK_NAME, LockContent, TailSlot};
use annals_journal_format::storage::{FsStorage, Storage};
use annals_journal_format::writer::OpenError;

use super::enclosure::OpenHow;
use super::{Bookmark, Journal, JournalError, JournalOptions, Recovery, enclosure};
use crate::event::Sequence;

/// A slot that is being written does not hold: it is read again.
const LOOKS_MAX: u32 = 4;
const PAUSE: Duration = Duration::from_millis(5);

/// What a journal's `LOCK` said of its end: a witness where that file is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Witness(pub(super) TailSlot);

impl Witness {
    /// `None` where the bytes are no such word.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        TailSlot::parse(bytes).map(Self)
    }

    pub fn journal(self) -> [u8; 16] {
        self.0.journal.0
    }

    /// Whether it vouches that a journal went as far as this event.
    pub fn reaches(self, journal: &[u8; 16], sequence: Sequence) -> bool {
        self.0.journal.0 == *journal && self.0.mark.sequence.0 >= sequence.0
    }

    /// The end that it says was on disk.
    pub fn proven(self) -> Bookmark {
        let Self(slot) = self;
        let (segment, end) = (slot.segment.0, slot.proven_end.0);
        Bookmark { journal: slot.journal.0, segment, end, mark: slot.proven.into() }
    }

    pub fn to_bytes(self) -> Vec<u8> {
        self.0.to_bytes().to_vec()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockFile {
    Sound(Witness),
    /// There is none, or nothing in it.
    Missing,
    /// What is in it is nothing that a writer leaves.
    Damaged,
    /// What has its name cannot be written: a link, a folder, a file of two names or another user's.
    InTheWay,
    Unread,
}

impl LockFile {
    pub fn of(journal: &Path) -> Self {
        let path = journal.join(LOCK_NAME);
        match enclosure::must_be_writable(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Self::Missing,
            Err(error) if enclosure::is_in_the_way(&error) => Self::InTheWay,
            Err(_) => Self::Unread,
            Ok(_) => Self::read(journal),
        }
    }

    /// As [`Self::of`], whether or not it can be written: of a copy.
    pub fn read(journal: &Path) -> Self {
        let path = journal.join(LOCK_NAME);
        let file = match FsStorage.open(&path, OpenHow::Read) {
            Err(error) if is_no_lock(&error) => return Self::Missing,
            Err(_) => return Self::Unread,
            Ok(file) => file,
        };
        for turn in 0..LOOKS_MAX {
            if turn > 0 {
                thread::sleep(PAUSE);
            }
            match LockContent::read(&file) {
                Ok(LockContent::Sound(slot)) => return Self::Sound(Witness(slot)),
                Ok(LockContent::Empty | LockContent::Damaged) => {}
                Err(_) => return Self::Unread,
            }
        }
        match LockContent::read(&file) {
            Ok(LockContent::Empty) => Self::Missing,
            _ => Self::Damaged,
        }
    }

    /// What is wrong with it, and what comes of that; `None` where nothing is, or nothing can be said.
    pub fn problem(self) -> Option<&'static str> {
        match self {
            Self::Sound(_) | Self::Unread => None,
            Self::Missing => Some("LOCK is missing: whoever records next makes it anew"),
            Self::Damaged => Some("LOCK is damaged: whoever records next makes it anew"),
            Self::InTheWay => {
                Some("something else is in the place of LOCK: nothing can be recorded")
            }
        }
    }

    /// Why a repair makes it anew; `None` where it need not.
    pub fn why_mended(self) -> Option<&'static str> {
        match self {
            Self::Sound(_) | Self::Unread => None,
            Self::Missing => Some("it was missing"),
            Self::Damaged => Some("it was damaged"),
            Self::InTheWay => Some("something else was in its place"),
        }
    }
}

#[derive(Debug)]
pub struct Barred {
    pub segment: PathBuf,
    /// As opening the journal for writing says it.
    pub error: JournalError,
}

impl Barred {
    /// Looks at the journal in a folder; `None` where it may be appended to, or cannot be looked at.
    pub fn of(journal: &Path) -> Option<Self> {
        let is_segment = |name: &Path| name.extension().is_some_and(|it| it == "seg");
        let names = enclosure::names(journal).ok()?.into_iter().map(|(name, _)| name); // told by readers
        let newest = names.filter(|name| is_segment(name.as_ref())).max()?;
        let segment = journal.join(newest);
        let source =
            enclosure::must_be_writable(&segment).err().filter(enclosure::is_in_the_way)?;
        let source = OpenError::Io { doing: "open", path: segment.clone(), source };
        Some(Self { segment, error: JournalError::Open { dir: journal.to_owned(), source } })
    }
}

/// A writer holds the lock for the time of one append.
const COPY_TRIES_MAX: u32 = 100;
const COPY_PAUSE: Duration = Duration::from_millis(10);

/// What [`Journal::open`] would give for the journal in `dir`, of which nothing is changed: `aside` is an
/// empty folder of the caller's own. Only the newest segment is copied whole; of the others a writer
/// reads no more than the first page.
pub fn rehearse(
    dir: &Path,
    aside: &Path,
    entropy: &[u8; 48],
    options: JournalOptions,
) -> Result<Vec<Recovery>, JournalError> {
    copy(dir, aside).map_err(|source| {
        let source = OpenError::Io { doing: "copy", path: dir.to_owned(), source };
        JournalError::Open { dir: dir.to_owned(), source }
    })?;
    Journal::open(aside, entropy, options).map(|(_, recoveries)| recoveries)
}

fn copy(dir: &Path, aside: &Path) -> io::Result<()> {
    // While this lives nobody is in the middle of an append.
    let _lock = held(&dir.join(LOCK_NAME))?;
    let names = enclosure::names(dir)?.into_iter().map(|(name, _)| name);
    let mut segments: Vec<_> =
        names.filter(|name| Path::new(name).extension().is_some_and(|it| it == "seg")).collect();
    segments.sort();
    let newest = segments.pop();
    for name in segments {
        copy_file(&dir.join(&name), &aside.join(&name), HEADER_PAGE_BYTES)?;
    }
    for name in newest.into_iter().chain([LOCK_NAME.into()]) {
        match copy_file(&dir.join(&name), &aside.join(&name), u64::MAX) {
            Err(error) if is_no_lock(&error) => {}
            copied => copied?,
        }
    }
    Ok(())
}

/// Holes stay holes: they may be larger than any disk.
fn copy_file(from: &Path, to: &Path, bytes_max: u64) -> io::Result<()> {
    use rustix::fs::{SeekFrom, seek};
    let mut from = enclosure::open(from, OpenHow::Read)?;
    let mut to = enclosure::open(to, OpenHow::CreateNew)?;
    let end = from.metadata()?.len().min(bytes_max);
    to.set_len(end)?;
    let mut at = 0;
    while at < end {
        // Who does not know where data lies has it from here to the end.
        at = match seek(&from, SeekFrom::Data(at)) {
            Err(rustix::io::Errno::NXIO) => break,
            found => found.unwrap_or(at),
        };
        let hole = seek(&from, SeekFrom::Hole(at)).unwrap_or(end).min(end);
        if hole <= at {
            break;
        }
        from.seek(io::SeekFrom::Start(at))?;
        to.seek(io::SeekFrom::Start(at))?;
        if io::copy(&mut Read::by_ref(&mut from).take(hole - at), &mut to)? < hole - at {
            break;
        }
        at = hole;
    }
    Ok(())
}

/// Whether there is none, or nothing that anybody can have locked.
fn is_no_lock(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || enclosure::is_in_the_way(error)
}

/// The lock, shared; none where there is none, or somebody holds it all the time: what is copied then
/// may end in the middle of an append.
fn held(path: &Path) -> io::Result<Option<File>> {
    let file = match enclosure::open(path, OpenHow::Read) {
        Err(error) if is_no_lock(&error) => return Ok(None),
        opened => opened?,
    };
    for _ in 0..COPY_TRIES_MAX {
        if fs2::FileExt::try_lock_shared(&file).is_ok() {
            return Ok(Some(file));
        }
        thread::sleep(COPY_PAUSE);
    }
    Ok(None)
}
