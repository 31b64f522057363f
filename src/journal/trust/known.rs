//! What the user's state has of one journal that is the user's own: one small file.

mod ends;

use std::io;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::settings::{Origin, origin, origin_of};
use super::{Place, hex};
use crate::event::Sequence;
use crate::journal;
use crate::journal::{FOLDER, JournalReader, Mark, Reading, derived_file, enclosure};

const VERSION: u32 = 1;
/// Larger than any that is written.
const BYTES_MAX: u64 = 1 << 20;
const PLACES_MAX: usize = 64;
const ENDS_MAX: usize = 64;
/// Settings that are longer are none.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Known {
    version: u32,
    places: Vec<Place>,
    /// Where it ended when it was looked at, the newest last.
    #[serde(with = "ends")]
    ends: Vec<(u64, [u8; 32])>,
    /// The user's own settings there, by their digest.
    settings: Option<[u8; 32]>,
}

pub(super) enum Found {
    Nothing,
    /// A file that says nothing, or that somebody else could have written.
    Unreadable,
    Known(Known),
}

impl Known {
    pub fn at(place: Place) -> Self {
        Self { version: VERSION, places: vec![place], ..Self::default() }
    }

    pub fn of(journal: &[u8; 16]) -> Found {
        let name = name(journal);
        let Some(bytes) = crate::journal::trust::read(&name, BYTES_MAX) else {
            return if crate::journal::trust::has(&name) {
                Found::Unreadable
            } else {
                Found::Nothing
            };
        };
        match serde_json::from_slice::<Self>(&bytes) {
            Ok(known) if known.version == VERSION => Found::Known(known),
            _ => Found::Unreadable,
        }
    }

    /// Two at once: what one of them adds is lost, and added when it is met again.
    pub fn keep(&self, journal: &[u8; 16]) -> io::Result<()> {
        derived_file::replace(
            &crate::journal::trust::place(&name(journal))?,
            &serde_json::to_vec(self)?,
        )
    }

    pub fn place(&self, here: &Place) -> Option<&Place> {
        self.places.iter().find(|place| place.is(here))
    }

    /// Takes a folder elsewhere for a further one, where nothing is in its journal that this user's own has
    /// not had: it ends at one of its commits, and every byte before that holds. Its settings are the
    /// user's where they read as those do. Whether it was taken.
    pub fn take(&mut self, mut here: Place, root: &Path, reader: &JournalReader) -> bool {
        let end = reader.mark();
        let there: Vec<_> = self.places.iter().filter(|place| place.is_there()).collect();
        let has_had = self.ends.contains(&(end.sequence.0, end.chain))
            || there.iter().any(|place| has(&journal_at(&place.root), reader, end));
        if end.sequence == Sequence(0) || !has_had || !is_whole(root, end) {
            return false;
        }
        let own = there.iter().filter(|place| !place.is_around_settings);
        let mut own = own.filter_map(|place| settings(Path::new(&place.root))).chain(self.settings);
        here.is_around_settings = match settings(root) {
            Some(lies_there) => !own.any(|own| own == lies_there),
            None => true,
        };
        if self.places.len() >= PLACES_MAX {
            self.places.retain(Place::is_there);
            self.places.truncate(PLACES_MAX - 1);
        }
        self.places.push(here);
        true
    }

    /// Notes how far it goes now in one of its folders; whether anything is new by that.
    pub fn note(&mut self, place: &Place, root: &Path, end: Mark) -> bool {
        let settings = if place.is_around_settings { self.settings } else { settings(root) };
        let end = (end.sequence.0, end.chain);
        if self.ends.last() == Some(&end) && self.settings == settings {
            return false;
        }
        self.settings = settings;
        self.ends.retain(|it| *it != end);
        self.ends.push(end);
        let older = self.ends.len().saturating_sub(ENDS_MAX);
        self.ends.drain(..older);
        true
    }
}

/// Where one of the user's own journals ended when it was looked at.
pub(super) fn ends(journal: &[u8; 16]) -> Vec<Mark> {
    let mark = |(sequence, chain)| Mark { sequence: Sequence(sequence), chain };
    match Known::of(journal) {
        Found::Known(known) => known.ends.into_iter().map(mark).collect(),
        Found::Nothing | Found::Unreadable => Vec::new(),
    }
}

fn has(journal: &Path, of: &JournalReader, end: Mark) -> bool {
    // Where it cannot be read nothing says so.
    let Ok(reader) = JournalReader::open(journal) else { return false };
    reader.id() == of.id() && reader.mark_at(end.sequence).is_ok_and(|it| it == Some(end))
}

/// Whether every byte as far as that end is what was once written: the chain vouches for no event in a
/// segment that nobody held to it.
fn is_whole(root: &Path, end: Mark) -> bool {
    let journal = root.join(FOLDER).join("journal");
    journal::verify(&journal, Reading::Live).is_ok_and(|report| {
        report.mark.map(Mark::from) == Some(end)
            && report.unreadable.is_empty()
            && report.findings_count == report.findings.len() as u64
            && !report.findings.iter().any(|finding| finding.verdict.is_loss())
    })
}

/// What the settings in this folder read, by its digest; `None` where that cannot be said.
fn settings(root: &Path) -> Option<[u8; 32]> {
    let read = enclosure::read(&root.join(FOLDER).join("config.toml"), SETTINGS_BYTES_MAX + 1);
    let bytes = match read {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.ok().filter(|bytes| bytes.len() as u64 <= SETTINGS_BYTES_MAX)?, // as above
    };
    Some(blake3::derive_key("annals known settings v1", &bytes))
}

fn journal_at(root: &str) -> std::path::PathBuf {
    Path::new(root).join(FOLDER).join("journal")
}

fn name(journal: &[u8; 16]) -> String {
    format!("journal-{}", hex(journal))
}

/// Ids alone, as they were remembered before folders were: each counts for the one where it is met first.
const BEGUN: &str = "journals";
/// Of those, the ones that were begun around settings which this user did not write.
const AROUND: &str = "journals-around-settings";
/// Half a million journals; what is beyond is judged as those are that nothing is remembered of.
const LIST_BYTES_MAX: u64 = 16 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is this user's own.
    Own,
    /// Another with its id is, and it is no copy of that.
    Other,
    Unknown,
}

/// Remembers that this user began the journal in this folder, and whether settings that the user did not
/// write lay there.
pub fn note_begun(root: &Path, journal: &[u8; 16], is_around_settings: bool) -> io::Result<()> {
    let mut place = Place::of(root).ok_or(io::ErrorKind::NotFound)?;
    place.is_around_settings = is_around_settings;
    Known::at(place).keep(journal)
}

/// What is remembered of the journal in this folder. One that is met as a whole copy is remembered there.
pub(super) fn standing(root: &Path, reader: &JournalReader) -> Standing {
    let id = reader.id();
    let Some(here) = Place::of(root) else { return Standing::Unknown };
    let kept = |known: &Known, otherwise| match known.keep(&id) {
        Ok(()) => Standing::Own,
        // It would be so in any other folder as well.
        Err(_) => otherwise,
    };
    match Known::of(&id) {
        Found::Nothing if is_listed(BEGUN, &id) => kept(&Known::at(here), Standing::Unknown),
        Found::Nothing => Standing::Unknown,
        Found::Known(known) if known.place(&here).is_some() => Standing::Own,
        Found::Known(mut known) => match known.take(here, root, reader) {
            true => kept(&known, Standing::Other),
            false => Standing::Other,
        },
        Found::Unreadable => Standing::Other,
    }
}

/// Judges the journal in this folder before anything is put behind it: a copy that grows is no copy any
/// more. Costs one small file where it lies as it did.
pub fn meet(root: &Path, journal: &[u8; 16]) {
    if let (Found::Known(known), Some(here)) = (Known::of(journal), Place::of(root))
        && known.place(&here).is_none()
    {
        // It is remembered by that.
        origin(root);
    }
}

/// Notes how far the journal of this project goes where it is the user's own, so that a copy is known by it where
/// it is gone.
pub fn note_end(root: &Path, reader: &JournalReader) {
    if origin_of(root, reader) == Origin::Own
        && let (Found::Known(mut known), Some(here)) = (Known::of(&reader.id()), Place::of(root))
        && let Some(place) = known.place(&here).cloned()
        && known.note(&place, root, reader.mark())
    {
        drop(known.keep(&reader.id())); // what is not noted is asked for again
    }
}

/// Whether settings lie in this folder that did not come from this user: they lay there when the journal
/// was begun, or came with a copy of it.
pub(super) fn is_around_settings(root: &Path) -> bool {
    let journal = JournalReader::open(&root.join(FOLDER).join("journal"));
    journal.is_ok_and(|journal| {
        let id = journal.id();
        let (known, here) = (Known::of(&id), Place::of(root));
        let is_around = match (&known, &here) {
            (Found::Known(known), Some(here)) => {
                known.place(here).is_some_and(|place| place.is_around_settings)
            }
            _ => false,
        };
        is_around || is_listed(AROUND, &id)
    })
}

fn is_listed(name: &str, journal: &[u8; 16]) -> bool {
    let Some(bytes) = crate::journal::trust::read(name, LIST_BYTES_MAX) else { return false };
    let id = hex(journal);
    bytes.split(|&byte| byte == b'\n').any(|line| line == id.as_bytes())
}
