//! Looking at a journal's bytes where they changed since they were last looked at, so that whoever
//! asks notices damage, and it stays told until the bytes are others.
//!
//! What was found is remembered with each file's identity (`memory.rs`). A memory that is missing or
//! forged costs a new look: what a file is on the disk cannot be brought along.

mod blobs;
mod identity;
mod listing;
mod memory;
mod wound;

use std::path::PathBuf;

use super::{Cache, FOLDER, Source, clock};
use crate::journal::{self, Begin, Reading, VerifyReport, recorded_losses};
use listing::Listing;
use memory::Memory;

pub use wound::{Place, Wound};

/// Bytes that a cheap look reads at most, sealed segments that changed not counted.
const CHEAP_BYTES_MAX: u64 = 8 << 20;

/// How much a look may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Every byte that changed.
    Whole,
    /// What changed, as far as it is little: of a large segment that grows, what was added. What was
    /// never looked at and is large is left for a whole look.
    Cheap,
}

/// What is known of a journal's bytes.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// What does not hold, in the journal's order.
    pub wounds: Vec<Wound>,
    /// How many there are in all.
    pub count: u64,
}

impl Look {
    /// What was durable once, is lost or changed, and is recorded nowhere.
    pub fn losses(&self) -> impl Iterator<Item = &Wound> {
        self.wounds.iter().filter(|wound| wound.loss && !wound.recorded)
    }

    /// Whether something that was durable is lost or changed.
    pub fn is_damaged(&self) -> bool {
        self.losses().next().is_some()
    }
}

/// Looks at a journal. Never fails: what cannot be read is a wound.
pub fn look(source: &Source, reading: Reading, depth: Depth, cache: &Cache) -> Look {
    let mut looking = Looking::begin(source, reading, cache);
    let begin = match &looking.listing {
        Ok(listing) => looking.memory.begin(listing, depth),
        Err(error) => return Look::of(Wound::unreadable(error.to_string())),
    };
    if let Some(begin) = begin {
        let from = |begin| journal::verify_from(&source.journal, reading, begin);
        let verified = from(begin).and_then(|report| {
            // It changed, and not by what was added: then what was known of it did.
            match begin.at.is_some() && report.commits == 0 && looking.has_changed(begin) {
                true => {
                    let whole = Begin { at: None, ..begin };
                    Ok((whole, from(whole)?))
                }
                false => Ok((begin, report)),
            }
        });
        match verified {
            Ok((begin, report)) => looking.take(Some(begin), &report),
            Err(error) => return Look::of(Wound::unreadable(with_source(&error))),
        }
    }
    looking.end(depth)
}

/// What does not hold in a journal's blobs, every one that changed looked at. Nothing is remembered of
/// it: not a byte is written.
pub fn look_at_blobs(source: &Source, cache: &Cache) -> Vec<Wound> {
    let mut looking = Looking::begin(source, Reading::Live, cache);
    looking.unsure = true;
    let mut wounds = looking.end(Depth::Whole).wounds;
    wounds.retain(|wound| matches!(wound.place, Place::Blob { .. }));
    wounds
}

/// A look that somebody else's verifying is.
pub struct Looking {
    listing: std::io::Result<Listing>,
    memory: Memory,
    file: Option<PathBuf>,
    began_ms: u64,
    journal: PathBuf,
    reading: Reading,
    /// What was read is not to be remembered.
    unsure: bool,
}

impl Looking {
    /// Notes how the files stand, before they are read.
    pub fn begin(source: &Source, reading: Reading, cache: &Cache) -> Self {
        let file = match (&source.root, reading) {
            (Some(root), Reading::Live) => Some(root.join(FOLDER).join("look.json")),
            _ => cache.look_file(&source.journal),
        };
        let memory = file.as_deref().and_then(Memory::read).unwrap_or_default();
        let listing = Listing::of(&source.journal);
        let journal = source.journal.clone();
        Self { listing, memory, file, began_ms: clock::now_ms(), journal, reading, unsure: false }
    }

    /// Whether the segment is another than it was when it was looked at.
    fn has_changed(&self, begin: Begin) -> bool {
        self.listing.as_ref().is_ok_and(|listing| self.memory.has_changed(listing, begin.segment))
    }

    /// Takes what verifying from there on found; `None`: of the whole journal.
    pub fn take(&mut self, begin: Option<Begin>, report: &VerifyReport) {
        let Ok(listing) = &self.listing else { return };
        self.unsure |= !report.unreadable.is_empty();
        // What cannot be looked for is told as new.
        let told =
            report.findings.iter().filter(|it| it.verdict.is_loss()).map(|it| it.at.segment.0);
        let told = told.min().map(|first| recorded_losses(&self.journal, self.reading, first));
        let told = told.and_then(Result::ok).unwrap_or_default();
        self.memory.take(listing, begin, report, &told, self.began_ms);
    }

    /// Looks at the blobs, and remembers all of it.
    pub fn end(mut self, depth: Depth) -> Look {
        if let Ok(listing) = &self.listing {
            blobs::look(listing, &mut self.memory, depth, self.began_ms);
        }
        let look = self.memory.look();
        if let Some(file) = self.file.filter(|_| !self.unsure) {
            // Where it cannot be kept, the next look costs the same again.
            drop(self.memory.write(&file));
        }
        look
    }
}

impl Look {
    fn of(wound: Wound) -> Self {
        Self { wounds: vec![wound], count: 1 }
    }
}

fn with_source(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}
