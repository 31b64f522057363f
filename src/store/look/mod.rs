//! Looking at a journal's bytes where they changed since they were last looked at, so that whoever
//! asks notices damage, and it stays told until the bytes are others.
//!
//! What was found is remembered with each file's identity (`memory.rs`). A memory that is missing or
//! forged costs a new look: what a file is on the disk cannot be brought along.

mod listing;
mod memory;
mod wound;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::journal::archive::is_archive_wrong;
use crate::journal::trust::seen;
use crate::journal::trust::seen::Contradiction;
use crate::journal::{
    self, Audit, Barred, Begin, FOLDER, JournalReader, Listener, LockFile, Reading, Source,
    Testimony, clock, recorded_losses, trust,
};
use crate::store::catch_up::Told;
use crate::store::error::with_cause;
use crate::store::evidence::Cache;
use crate::store::{Beside, StoreList, verify};
use listing::Listing;
use memory::Memory;

pub use wound::{Place, Wound, WoundKind};

const NAME: &str = "look.json";
/// Bytes that a cheap look reads at most, sealed segments that changed not counted.
const CHEAP_BYTES_MAX: u64 = 8 << 20;
/// As [`CHEAP_BYTES_MAX`], of who records, for whom it is done with every command: of a segment that grows, as much as
/// was in it when it was looked at last.
const BRIEF_BYTES_MAX: u64 = 64 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    Whole,
    /// What changed, as far as it is little: of a large segment that grows, what was added. What was
    /// never looked at and is large is left for a whole look.
    Cheap,
    /// As [`Self::Cheap`], of much less.
    Brief,
}

impl Depth {
    /// Bytes that are read at most, where that is bounded.
    fn bytes_max(self) -> Option<u64> {
        match self {
            Self::Whole => None,
            Self::Cheap => Some(CHEAP_BYTES_MAX),
            Self::Brief => Some(BRIEF_BYTES_MAX),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Look {
    pub wounds: Vec<Wound>,
    pub count: u64,
    pub is_mendable: bool,
    /// What is wrong with its `LOCK`; none of evidence, which needs none.
    pub lock: Option<&'static str>,
    pub barred: Option<Arc<Barred>>,
    /// It does not contain what was seen of it.
    pub contradiction: Option<Arc<Contradiction>>,
}

impl Look {
    /// What was durable once, is lost or changed, and is recorded nowhere.
    pub fn losses(&self) -> impl Iterator<Item = &Wound> {
        self.wounds.iter().filter(|wound| wound.kind == WoundKind::Loss && !wound.recorded)
    }

    /// What does not hold though nothing is lost by it, as verifying finds it.
    pub fn flaws(&self) -> impl Iterator<Item = &Wound> {
        self.wounds.iter().filter(|wound| matches!(wound.kind, WoundKind::Cut | WoundKind::Flaw))
    }

    pub fn is_damaged(&self) -> bool {
        self.losses().next().is_some()
    }
}

/// Looks at a journal. Never fails: what cannot be read is a wound.
pub fn look(source: &Source, reading: Reading, depth: Depth, cache: &Cache) -> Look {
    look_telling(source, reading, depth, cache, None)
}

/// As [`look`]; where it reads all of a journal and nothing is wrong with it, `told` was told all of it.
pub fn look_telling(
    source: &Source,
    reading: Reading,
    depth: Depth,
    cache: &Cache,
    mut told: Option<Told>,
) -> Look {
    let mut looking = Looking::begin(source, reading, cache);
    let testimony = looking.testimony(source, cache);
    let begin = match &looking.listing {
        Ok(listing) => looking.memory.begin(listing, depth, testimony.seen),
        Err(error) => return Look::of(Wound::unreadable(error.to_string())),
    };
    if let Some(begin) = begin {
        let mut from = |begin: Begin| {
            let is_whole = begin.segment == 0 && begin.at.is_none();
            let told = told.as_mut().filter(|_| is_whole).map(|it| it as &mut dyn Listener);
            journal::audit_telling(&source.journal, reading, begin, testimony, told)
        };
        let verified = from(begin).and_then(|audit| {
            // It changed, and not by what was added: then what was known of it did. And what is wrong is judged by all
            // that leads to it.
            let added = audit.report.commits > 0 || !looking.has_changed(begin);
            match begin.at.is_some() && !(added && audit.report.is_clean()) {
                true => {
                    let whole = Begin { at: None, ..begin };
                    Ok((whole, from(whole)?))
                }
                false => Ok((begin, audit)),
            }
        });
        match verified {
            Ok((begin, audit)) => {
                looking.take(Some(begin), &audit);
                if let (true, Some(mark), Some(told)) =
                    (audit.report.is_clean(), audit.report.mark, told.take())
                {
                    told.end(mark.into());
                }
            }
            Err(error) => return Look::of(Wound::unreadable(with_cause(&error))),
        }
    }
    let mut look = looking.end(depth);
    // Live, whoever catches the stores up says so.
    if reading == Reading::Evidence
        && !look.is_damaged()
        && let Some(root) = &source.root
        && let Some((store, reason)) =
            verify::beyond(StoreList::of(source.around), root, &source.journal, cache)
    {
        look.wounds.push(Wound::store(store.as_str(), reason));
        look.count += 1;
    }
    look
}

/// What is known of the end of a project's journal by what lies beside it. `is_thorough`: also by what stores
/// have in their `-wal`.
pub(crate) fn testimony(list: &'static StoreList, root: &Path, is_thorough: bool) -> Testimony {
    let folder = root.join(FOLDER);
    let journal = folder.join("journal");
    let beside = if is_thorough { Beside::InUse } else { Beside::LeftOut };
    // Who opens a journal to write writes this as well; who only looks writes nothing.
    let lock = LockFile::of(&journal);
    let seen = verify::seen(list, root, (&journal, lock), Reading::Live, beside, true);
    let lock = match lock {
        LockFile::Sound(_) | LockFile::Unread => None,
        _ => Memory::read(&folder.join(NAME)).and_then(|memory| memory.witness()),
    };
    Testimony { lock, seen }
}

/// As [`testimony`], of a journal that may be anybody's: by the stores alone.
pub(crate) fn testimony_of_copy(
    list: &'static StoreList,
    root: &Path,
    journal: &Path,
    cache: &Cache,
) -> Testimony {
    let aside = cache.private().ok(); // then what lies beside a store is left out
    let beside = aside.as_ref().map_or(Beside::LeftOut, |aside| Beside::Copied(aside.root()));
    let lock = LockFile::of(journal);
    let seen = verify::seen(list, root, (journal, lock), Reading::Evidence, beside, false);
    Testimony { lock: None, seen }
}

/// What does not hold in a journal's blobs, those that its events name and those that lie there, every one
/// that changed looked at. Nothing is remembered of it: not a byte is written.
pub fn look_at_blobs(source: &Source, named: &BTreeSet<[u8; 32]>, cache: &Cache) -> Vec<Wound> {
    let mut looking = Looking::begin(source, Reading::Live, cache);
    looking.memory.name_blobs(named);
    looking.unsure = true;
    looking.root = None;
    let mut wounds = looking.end(Depth::Whole).wounds;
    wounds.retain(|wound| matches!(wound.place, Place::Blob { .. }));
    wounds
}

pub struct Looking {
    listing: std::io::Result<Listing>,
    memory: Memory,
    file: Option<PathBuf>,
    began_ms: u64,
    journal: PathBuf,
    reading: Reading,
    /// The project's, where it is looked at live.
    root: Option<PathBuf>,
    /// What was read is not to be remembered.
    unsure: bool,
}

impl Looking {
    /// Notes how the files stand, before they are read.
    pub fn begin(source: &Source, reading: Reading, cache: &Cache) -> Self {
        let file = match (&source.root, reading) {
            (Some(root), Reading::Live) => Some(root.join(FOLDER).join(NAME)),
            _ => cache.look_file(&source.journal),
        };
        let memory = file.as_deref().and_then(Memory::read).unwrap_or_default();
        let listing = Listing::of(&source.journal);
        let journal = source.journal.clone();
        let root = source.root.clone().filter(|_| reading == Reading::Live);
        let began_ms = clock::now_ms();
        Self { listing, memory, file, began_ms, journal, reading, root, unsure: false }
    }

    fn has_changed(&self, begin: Begin) -> bool {
        self.listing.as_ref().is_ok_and(|listing| self.memory.has_changed(listing, begin.segment))
    }

    /// Takes what verifying from there on found; `None`: of the whole journal.
    pub fn take(&mut self, begin: Option<Begin>, audit: &Audit) {
        let Ok(listing) = &self.listing else { return };
        let report = &audit.report;
        // What an archive has instead is the same for whoever reads it next.
        self.unsure |= !report.unreadable.iter().all(is_archive_wrong);
        // What cannot be looked for is told as new.
        let told =
            report.findings.iter().filter(|it| it.verdict.is_loss()).map(|it| it.at.segment.0);
        let told = told.min().map(|first| recorded_losses(&self.journal, self.reading, first));
        let told = told.and_then(Result::ok).unwrap_or_default();
        self.memory.name_blobs(&audit.blobs);
        self.memory.take(listing, begin, report, &told, self.began_ms);
    }

    fn testimony(&self, source: &Source, cache: &Cache) -> Testimony {
        let (root, list) = (source.root.as_deref(), StoreList::of(source.around));
        match self.reading {
            Reading::Evidence => {
                let of = |root| testimony_of_copy(list, root, &source.journal, cache);
                root.map(of).unwrap_or_default()
            }
            Reading::Live => {
                let journal = source.journal.as_path();
                let seen = |root| {
                    let of = (journal, LockFile::of(journal));
                    verify::seen(list, root, of, Reading::Live, Beside::LeftOut, false)
                };
                Testimony { lock: self.memory.witness(), seen: root.and_then(seen) }
            }
        }
    }

    pub fn end(mut self, depth: Depth) -> Look {
        let lock = (self.reading == Reading::Live).then(|| LockFile::of(&self.journal));
        if let Some(LockFile::Sound(witness)) = lock {
            self.memory.keep(witness);
        }
        if let Ok(listing) = &self.listing {
            listing::look_at_blobs(listing, &mut self.memory, depth, self.began_ms);
        }
        let barred = lock.and_then(|_| Barred::of(&self.journal)).map(Arc::new);
        let proven = match lock {
            Some(LockFile::Sound(witness)) => Some(witness.proven()),
            _ => None,
        };
        // What cannot be opened is told by who reads it.
        let reader = JournalReader::reading(&self.journal, self.reading).ok();
        let contradiction =
            reader.as_ref().and_then(|it| seen::meet(&self.journal, it, proven)).map(Arc::new);
        let lock = lock.and_then(LockFile::problem);
        let mut look = Look { lock, barred, contradiction, ..self.memory.look() };
        look.is_mendable |= lock.is_some();
        if let Some(file) = self.file.filter(|_| !self.unsure) {
            // Where it cannot be kept, the next look costs the same again.
            drop(self.memory.write(&file));
        }
        if let (Some(root), Some(reader)) = (self.root, reader) {
            trust::note_end(&root, &reader);
        }
        look
    }
}

impl Look {
    fn of(wound: Wound) -> Self {
        Self { wounds: vec![wound], count: 1, ..Self::default() }
    }
}
