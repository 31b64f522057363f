//! What the user's state has of one journal that is the user's own: one small file.

use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Place, hex};
use crate::event::Sequence;
use crate::journal::{self, FOLDER, JournalReader, Mark, Reading, derived_file, enclosure};

const VERSION: u32 = 1;
/// Larger than any that is written.
const BYTES_MAX: u64 = 1 << 20;
const PLACES_MAX: usize = 64;
const ENDS_MAX: usize = 64;
/// Settings that are longer are none.
const SETTINGS_BYTES_MAX: u64 = 1 << 20;

/// What is known of a journal of the user's own.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Known {
    version: u32,
    /// Where it lies: the journal, and copies of it.
    places: Vec<Place>,
    /// Where it ended when it was looked at, the newest last.
    ends: Vec<(u64, [u8; 32])>,
    /// The user's own settings there, by their digest.
    settings: Option<[u8; 32]>,
}

/// What there is of a journal in the user's state.
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// A file that says nothing, or that somebody else could have written.
    Unreadable,
    Known(Known),
}

impl Known {
    /// A journal of which nothing is known but where it lies.
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

    /// The folder, where it is one of those that are known.
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

/// Whether a journal has a commit that ends so.
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
