//! What this user's programs last saw of each journal, kept outside of every project: whoever opens one
//! learns whether it still contains that. Needs no key, and is worth what the user's state folder is.

mod file;
mod row;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::Path;

use super::outside::{self, Kind};
use super::{hex, known};
use crate::event::Sequence;
use crate::journal::loss::recorded_since;
use crate::journal::{Bookmark, JournalReader, LockFile, Mark, NO_JOURNAL, Reading, ReplayItem};

use file::others;
pub use file::{LastSeen, SeenFile, all, begin_anew, every};
pub use row::SeenRow;

/// How a journal is not what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It ends before what was seen: an end was cut, or an older copy put in its place.
    Cut,
    /// It goes as far, by another history.
    Rewritten,
    /// As rewritten, and what was seen lies in another folder.
    Forked,
    /// It is another journal than the one that was seen in its folder.
    Replaced,
}

impl Change {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cut => "cut",
            Self::Rewritten => "rewritten",
            Self::Forked => "forked",
            Self::Replaced => "replaced",
        }
    }
}

/// A journal does not contain what was seen of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    pub change: Change,
    pub seen: LastSeen,
    /// Where it ends.
    pub end: Mark,
    /// The last event up to which it is known to be what was seen; `None` where nothing says so.
    pub shared: Option<Sequence>,
    /// It lies in another folder, and ends where the one that was seen once did: who works in it begins anew there.
    pub is_older_copy: bool,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seen, end) = (self.seen.at.mark.sequence.0, self.end.sequence.0);
        let shared = |f: &mut fmt::Formatter<'_>| match self.shared {
            Some(shared) => write!(f, " after @{}", shared.0),
            None => Ok(()),
        };
        match self.change {
            Change::Cut if self.is_older_copy => {
                let folder = &self.seen.folder;
                write!(
                    f,
                    "cut, or an older copy: it ends at @{end}, and @{seen} was seen in {folder:?}"
                )
            }
            Change::Cut if end < seen => write!(f, "cut: it ends at @{end}, and @{seen} was seen"),
            Change::Cut => {
                f.write_str("cut")?;
                shared(f)?;
                write!(f, ": @{seen} was seen, and is not there")
            }
            Change::Rewritten => {
                f.write_str("rewritten")?;
                shared(f)?;
                write!(f, ": @{seen} is not the one that was seen")
            }
            Change::Replaced => {
                let other = hex(&self.seen.at.journal);
                write!(f, "replaced: journal {other} was seen in its folder, up to @{seen}")
            }
            Change::Forked => {
                f.write_str("forked")?;
                shared(f)?;
                write!(f, ": @{seen} is not the one that was seen in {:?}", self.seen.folder)
            }
        }
    }
}

/// Whether a journal contains what was seen of it in its folder, or, where it was not met there, anywhere.
/// Costs two small reads where it does. An older copy in another folder is none here: it is told by who verifies.
/// What is missing by damage, or by an end that its `LOCK` vouches for, is no contradiction: that is told as
/// what it is.
pub fn contradiction(folder: &Path, reading: Reading) -> Option<Contradiction> {
    let reader = JournalReader::reading(folder, reading).ok()?; // told by who reads it
    contradiction_of(folder, &reader).filter(|it| !it.is_older_copy)
}

/// As [`contradiction`]; where there is none, remembers how far it goes by its `LOCK`.
pub fn meet(folder: &Path, reading: Reading, proven: Option<Bookmark>) -> Option<Contradiction> {
    let reader = JournalReader::reading(folder, reading).ok()?; // told by who reads it
    let found = contradiction_of(folder, &reader);
    if let (None, Some(proven)) = (&found, proven)
        && proven.mark.sequence > Sequence(0)
        && let Some(file) = SeenFile::of(folder, &reader.id())
        && file.last().is_none_or(|it| it.is_told || it.at.mark.sequence < proven.mark.sequence)
        && holds(&reader, &proven)
    {
        // What is not noted is met again.
        drop(file.note(folder, &proven));
    }
    found
}

/// As [`contradiction`], of one that is open.
fn contradiction_of(folder: &Path, reader: &JournalReader) -> Option<Contradiction> {
    let id = reader.id();
    if id == NO_JOURNAL {
        return None; // no header of it holds: that is damage
    }
    if let Some(own) = SeenFile::of(folder, &id).and_then(|file| file.last()) {
        return (!holds(reader, &own.at)).then(|| judge(folder, reader, own)).flatten();
    }
    // Met here for the first time: it goes on from one that was seen, or was one of them once.
    let mut seen = all(&id);
    if seen.is_empty() {
        let (_, seen) = others(folder, &id).pop()?;
        let (change, end) = (Change::Replaced, reader.mark());
        return Some(Contradiction { change, seen, end, shared: None, is_older_copy: false });
    }
    if seen.iter().any(|seen| holds(reader, &seen.at)) {
        return None;
    }
    seen.sort_by_key(|seen| std::cmp::Reverse(seen.at.mark.sequence));
    let mut found: Vec<_> = seen.into_iter().filter_map(|it| judge(folder, reader, it)).collect();
    let older = found.iter().position(|it| it.is_older_copy).unwrap_or_default();
    (!found.is_empty()).then(|| found.swap_remove(older))
}

/// How a journal is not one that was seen, elsewhere or here, of which this is told.
pub fn held_against(folder: &Path, reading: Reading, seen: &[LastSeen]) -> Option<Contradiction> {
    let reader = JournalReader::reading(folder, reading).ok()?; // told by who reads it
    let own = seen.iter().filter(|seen| seen.at.journal == reader.id());
    let missed = own.filter(|seen| !holds(&reader, &seen.at));
    judge(folder, &reader, missed.max_by_key(|seen| seen.at.mark.sequence)?.clone())
}

fn judge(folder: &Path, reader: &JournalReader, seen: LastSeen) -> Option<Contradiction> {
    let (at, end) = (seen.at.mark.sequence, reader.mark());
    let differs = |it: &Mark| {
        // Of one that cannot be read nothing is said.
        let found = reader.mark_at(it.sequence).ok().flatten();
        it.sequence < at && found.is_some_and(|found| found != *it)
    };
    let ends = known::ends(&reader.id());
    let is_rewritten = ends.iter().chain(&seen.before).any(differs);
    // A bundle is of the moment when it was made; of one segment, what lies elsewhere is not missing.
    let is_part = folder.is_file() && (end.sequence < at || at <= reader.begins_after());
    if is_part {
        return None;
    }
    if !seen.is_told && !is_rewritten && is_told_as_loss(folder, reader, at) {
        return None;
    }
    let is_here = folder.canonicalize().is_ok_and(|it| it.to_string_lossy() == seen.folder);
    // What cannot be read is told by who verifies.
    let is_missing = end.sequence < at || matches!(reader.get(at), Ok(None));
    let change = match is_here {
        _ if is_missing && !is_rewritten => Change::Cut,
        true => Change::Rewritten,
        false => Change::Forked,
    };
    let held = ends.into_iter().filter(|it| it.sequence <= end.sequence && it.sequence < at);
    let held = held.filter(|it| reader.mark_at(it.sequence).is_ok_and(|found| found == Some(*it)));
    let shared = held.map(|it| it.sequence).max();
    let is_older_copy = !is_here && change == Change::Cut && is_end_of(&seen, reader);
    Some(Contradiction { change, seen, end, shared, is_older_copy })
}

fn holds(reader: &JournalReader, at: &Bookmark) -> bool {
    reader.mark() == at.mark || reader.has(at)
}

/// Whether the journal that was seen is known to have ended here once.
fn is_end_of(seen: &LastSeen, reader: &JournalReader) -> bool {
    let end = reader.mark();
    if known::ends(&reader.id()).contains(&end) {
        return true;
    }
    // Where it cannot be read nothing says so.
    let original = JournalReader::open(Path::new(&seen.folder));
    original
        .is_ok_and(|it| it.id() == reader.id() && it.mark_at(end.sequence).ok() == Some(Some(end)))
}

/// Whether what is missing is told as damage, or as a loss.
fn is_told_as_loss(folder: &Path, reader: &JournalReader, at: Sequence) -> bool {
    if let LockFile::Sound(witness) = LockFile::of(folder)
        && reader.mark().sequence < at
        && witness.reaches(&reader.id(), at)
    {
        return true;
    }
    let covers = |(first, last): (u64, u64)| first <= at.0 && at.0 <= last;
    let recorded = recorded_since(reader, 0).unwrap_or_default(); // then nothing is told
    if recorded.iter().filter_map(|it| it.lost).any(|(first, last)| covers((first.0, last.0))) {
        return true;
    }
    for item in reader.replay(at, None) {
        match item {
            Ok(ReplayItem::Lost(finding)) if finding.bytes > 0 => {
                if finding.lost.is_some_and(|(first, last)| covers((first.0, last.0))) {
                    return true;
                }
            }
            Ok(ReplayItem::Lost(_)) => {}
            _ => return false,
        }
    }
    false
}

/// Remembers how far a copy goes that was read whole and holds: nobody writes to it that would.
pub fn note_copy(folder: &Path) {
    let Ok(reader) = JournalReader::reading(folder, Reading::Evidence) else { return };
    if let (true, Some(file), Some(end)) =
        (folder.is_dir(), SeenFile::of(folder, &reader.id()), reader.end())
    {
        // What is not noted is met again.
        drop(file.note(folder, &end));
    }
}

/// Takes a journal as it is now for the one that was seen, whatever was before.
pub fn accept(folder: &Path, reader: &JournalReader) -> io::Result<()> {
    let end = reader.end().ok_or(io::ErrorKind::NotFound)?;
    begin_anew(folder, &reader.id());
    for kind in [Kind::Tree, Kind::Checkpoint] {
        outside::forget(kind, folder, &reader.id())?;
    }
    match SeenFile::of(folder, &reader.id()) {
        Some(file) => file.accept(folder, &end),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}
