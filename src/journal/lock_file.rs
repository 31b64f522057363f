//! A journal's `LOCK`, seen from outside: whether writers can go by it, and what it witnesses.

use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::Duration;

use annals_journal_format::lock::{LOCK_NAME, LockContent, TailSlot};
use annals_journal_format::storage::{FsStorage, OpenHow, Storage};

use crate::event::Sequence;
use crate::journal::enclosure;

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

    /// Whether it vouches that a journal went as far as this event.
    pub fn reaches(self, journal: &[u8; 16], sequence: Sequence) -> bool {
        self.0.journal.0 == *journal && self.0.mark.sequence.0 >= sequence.0
    }

    pub fn to_bytes(self) -> Vec<u8> {
        self.0.to_bytes().to_vec()
    }
}

/// How a journal's `LOCK` stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockFile {
    Sound(Witness),
    /// There is none, or nothing in it.
    Missing,
    /// What is in it is nothing that a writer leaves.
    Damaged,
    /// What has its name cannot be written: a link, a folder, a file of two names or another user's.
    InTheWay,
    /// It could not be looked at.
    Unread,
}

impl LockFile {
    /// Looks at the one in a journal's folder; takes no lock.
    pub fn of(journal: &Path) -> Self {
        let path = journal.join(LOCK_NAME);
        match enclosure::must_be_writable(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Self::Missing,
            Err(error) if enclosure::is_in_the_way(&error) => return Self::InTheWay,
            Err(_) => return Self::Unread,
            Ok(_) => {}
        }
        let Ok(file) = FsStorage.open(&path, OpenHow::Read) else { return Self::Unread };
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
