//! The files that say what was last seen of a journal, one for each folder that it was met in.
//!
//! A file holds two slots of text, written by turns and in place; the one of the higher turn counts, so that a
//! write that was cut short costs nothing.

use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::outside::{suffix, suffix_of};
use super::super::{hex, make, read, unhex};
use crate::config::environment;
use crate::event::{Ordered, Sequence};
use crate::journal::enclosure::OpenHow;
use crate::journal::{Bookmark, Mark, derived_file, enclosure};

const SLOT_BYTES: usize = 256;
const SLOTS: usize = 2;
/// The slots, and the folder behind them.
const BYTES_MAX: u64 = 16 << 10;
/// Folders that one journal is remembered in.
const PLACES_MAX: usize = 64;

/// What was last seen of a journal in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastSeen {
    /// The end that it had, at or below the watermark.
    pub at: Bookmark,
    /// The journal's folder.
    pub folder: String,
    /// That it does not contain this any more is on record.
    pub is_told: bool,
    /// The one before, where both slots hold.
    pub before: Option<Mark>,
    turn: u64,
}

impl LastSeen {
    /// What a file tells that came from another machine.
    pub(super) fn elsewhere(at: Bookmark, folder: String) -> Self {
        Self { at, folder, is_told: false, before: None, turn: 0 }
    }
}

/// The file of one journal in one folder.
#[derive(Debug)]
pub struct SeenFile {
    path: PathBuf,
    folder: PathBuf,
    /// The last event that this one noted: who writes much without a flush asks after each write.
    noted: AtomicU64,
}

impl SeenFile {
    /// `None` where the user has no folder for it, or the journal's cannot be told.
    pub fn of(folder: &Path, journal: &[u8; 16]) -> Option<Self> {
        let folder = enclosure::real(folder).ok()?; // then it is not remembered
        let name = format!("{}{}", prefix(journal), suffix_of(&folder));
        Some(Self {
            path: environment::state_folder()?.join(name),
            folder,
            noted: AtomicU64::new(0),
        })
    }

    pub fn last(&self) -> Option<LastSeen> {
        parse(&self.path)
    }

    /// Remembers how far a journal goes that contains what was seen, where that is farther.
    pub fn note(&self, at: &Bookmark) -> io::Result<()> {
        let sequence = at.mark.sequence;
        if self.noted.load(Ordering::Relaxed) >= sequence.0 {
            return Ok(());
        }
        match self.last() {
            Some(last) if last.at.mark.sequence >= sequence => match last.is_told {
                true => self.put(Some(last.clone()), &last.at, false),
                false => Ok(()),
            },
            last => self.put(last, at, false),
        }?;
        self.noted.fetch_max(sequence.0, Ordering::Relaxed);
        Ok(())
    }

    /// Takes the journal as it is now for what was seen, whatever was before.
    pub fn accept(&self, at: &Bookmark) -> io::Result<()> {
        self.put(self.last(), at, false)
    }

    /// Remembers that it is on record that the journal does not contain this.
    pub fn tell(&self, seen: &LastSeen) -> io::Result<()> {
        self.put(self.last(), &seen.at, true)
    }

    fn put(&self, last: Option<LastSeen>, at: &Bookmark, is_told: bool) -> io::Result<()> {
        self.noted.store(0, Ordering::Relaxed);
        let turn = last.as_ref().map_or(0, |last| last.turn) + 1;
        let slot = slot(turn, at, is_told);
        let offset = (turn as usize % SLOTS * SLOT_BYTES) as u64;
        if last.is_some() {
            let file = enclosure::open(&self.path, OpenHow::ReadWrite)?;
            return file.write_all_at(&slot, offset);
        }
        make(self.path.parent().unwrap_or(Path::new(".")))?;
        if all(&at.journal).len() >= PLACES_MAX {
            prune(&at.journal);
        }
        let mut bytes = vec![b' '; SLOTS * SLOT_BYTES];
        bytes[offset as usize..][..SLOT_BYTES].copy_from_slice(&slot);
        bytes.extend_from_slice(self.folder.as_os_str().as_encoded_bytes());
        derived_file::replace(&self.path, &bytes)
    }
}

fn prefix(journal: &[u8; 16]) -> String {
    format!("seen-{}-", hex(journal))
}

/// `turn journal segment end sequence chain told sum`, padded.
fn slot(turn: u64, at: &Bookmark, is_told: bool) -> [u8; SLOT_BYTES] {
    let Bookmark { journal, segment, end, mark } = at;
    let (journal, chain, told) = (hex(journal), hex(&mark.chain), u8::from(is_told));
    let text = format!("{turn} {journal} {segment} {end} {} {chain} {told} ", mark.sequence.0);
    let mut bytes = [b' '; SLOT_BYTES];
    let line = format!("{text}{}\n", sum(&text));
    bytes[..line.len()].copy_from_slice(line.as_bytes());
    bytes
}

fn sum(text: &str) -> String {
    hex(&blake3::hash(text.as_bytes()).as_bytes()[..8])
}

fn parse_slot(bytes: &[u8]) -> Option<(u64, Bookmark, bool)> {
    let line = std::str::from_utf8(bytes).ok()?.lines().next()?; // no slot of ours
    let (text, told_sum) = line.split_at(line.rfind(' ')? + 1);
    (sum(text) == told_sum).then_some(())?;
    let fields: Vec<_> = text.split_ascii_whitespace().collect();
    let [turn, journal, segment, end, sequence, chain, told] = fields[..] else { return None };
    let number = |text: &str| text.parse().ok(); // as above
    let mark = Mark { sequence: Sequence(number(sequence)?), chain: unhex(chain)? };
    let at =
        Bookmark { journal: unhex(journal)?, segment: number(segment)?, end: number(end)?, mark };
    Some((number(turn)?, at, told == "1"))
}

/// What is in a file; `None` where there is none, or it is not of this user's making.
fn parse(path: &Path) -> Option<LastSeen> {
    let bytes = read(path.file_name()?.to_str()?, BYTES_MAX)?;
    let slots = bytes.get(..SLOTS * SLOT_BYTES)?.chunks(SLOT_BYTES).filter_map(parse_slot);
    let mut slots: Vec<_> = slots.collect();
    slots.order_by_key(|(turn, ..)| *turn);
    let (turn, at, is_told) = slots.pop()?;
    let before = slots.pop().map(|(_, at, _)| at.mark);
    let folder = String::from_utf8_lossy(&bytes[SLOTS * SLOT_BYTES..]).into_owned();
    Some(LastSeen { at, folder, is_told, before, turn })
}

/// What was seen of one journal, wherever.
pub fn all(journal: &[u8; 16]) -> Vec<LastSeen> {
    beginning(&prefix(journal)).into_iter().map(|(_, seen)| seen).collect()
}

/// What was seen of other journals in this folder.
pub fn others(folder: &Path, journal: &[u8; 16]) -> Vec<(PathBuf, LastSeen)> {
    let Some(suffix) = suffix(folder) else { return Vec::new() };
    let mut found = beginning("seen-");
    found.retain(|(path, seen)| {
        path.to_string_lossy().ends_with(&suffix) && seen.at.journal != *journal
    });
    found
}

/// Forgets what other journals were in this folder: another one was begun there.
pub fn begin_anew(folder: &Path, journal: &[u8; 16]) {
    for (path, _) in others(folder, journal) {
        // One that stays is told as replaced, and forgotten by `seen forget`.
        drop(enclosure::remove(&path));
    }
}

/// What was seen of every journal.
pub fn every() -> Vec<LastSeen> {
    beginning("seen-").into_iter().map(|(_, seen)| seen).collect()
}

fn beginning(prefix: &str) -> Vec<(PathBuf, LastSeen)> {
    let Some(folder) = environment::state_folder() else { return Vec::new() };
    let names = enclosure::names(&folder).unwrap_or_default(); // none was seen
    let ours = names.into_iter().filter(|(name, _)| name.to_string_lossy().starts_with(prefix));
    let mut found: Vec<_> = ours
        .filter_map(|(name, _)| {
            let path = folder.join(name);
            parse(&path).map(|seen| (path, seen))
        })
        .collect();
    found.order_by(|(one, _), (other, _)| one.cmp(other));
    found
}

/// Forgets folders that are gone.
fn prune(journal: &[u8; 16]) {
    for (path, seen) in beginning(&prefix(journal)) {
        if !Path::new(&seen.folder).is_dir() {
            // It is tried again when the next folder is met.
            drop(enclosure::remove(&path));
        }
    }
}
