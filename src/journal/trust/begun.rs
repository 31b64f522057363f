//! The journals that are this user's own, by their ids and by the folders where the user has them. An id
//! alone says nothing: it stands in every copy, and whoever has one can put anything behind it.

use std::io;
use std::path::Path;

use super::known::{Found, Known};
use super::origin::{Origin, origin};
use super::{Place, hex};
use crate::journal::{FOLDER, JournalReader};

/// Ids alone, as they were remembered before folders were: each counts for the one where it is met first.
const BEGUN: &str = "journals";
/// Of those, the ones that were begun around settings which this user did not write.
const AROUND: &str = "journals-around-settings";
/// Half a million journals; what is beyond is judged as those are that nothing is remembered of.
const BYTES_MAX: u64 = 16 << 20;

/// What is remembered of the journal in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is this user's own.
    Own,
    /// Another with its id is, and it is no copy of that.
    Other,
    /// Nothing.
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

/// Notes how far a journal of the user's own goes, so that a copy is known by it where it is gone.
pub fn note_end(root: &Path) {
    // What is not noted is asked for again.
    let Ok(reader) = JournalReader::open(&root.join(FOLDER).join("journal")) else { return };
    if origin(root) == Origin::Own
        && let (Found::Known(mut known), Some(here)) = (Known::of(&reader.id()), Place::of(root))
        && let Some(place) = known.place(&here).cloned()
        && known.note(&place, root, reader.mark())
    {
        drop(known.keep(&reader.id())); // as above
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
    let Some(bytes) = crate::journal::trust::read(name, BYTES_MAX) else { return false };
    let id = hex(journal);
    bytes.split(|&byte| byte == b'\n').any(|line| line == id.as_bytes())
}
