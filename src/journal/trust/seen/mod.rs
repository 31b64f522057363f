//! What this user's programs last saw of each journal, kept outside of every project: whoever opens one
//! learns whether it still contains that. Needs no key, and is worth what the user's state folder is.

mod file;
mod row;
mod words;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::{fs, io};

use super::known;
use super::outside::{self, Kind};
use crate::config::environment;
use crate::event::{Ordered, RecordedLoss, Sequence};
use crate::journal::private::own_folder;
use crate::journal::project::home;
use crate::journal::{
    Bookmark, JournalReader, LockFile, Mark, NO_JOURNAL, Reading, ReplayItem, enclosure,
};

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
    /// The first event that is known not to be the one that was seen: it parts there or before.
    pub differs: Sequence,
    /// It lies in another folder, and ends where the one that was seen once did: who works in it begins anew there.
    pub is_older_copy: bool,
}

/// Whether a journal contains what was seen of it in its folder, or, where it was not met there, anywhere.
/// Costs two small reads where it does. An older copy in another folder is none here: it is told by who verifies.
/// What is missing of which a fragment is left is no contradiction: that is damage, and told as such.
pub fn contradiction(folder: &Path, reading: Reading) -> Option<Contradiction> {
    if is_seen_there(folder, reading) {
        return None;
    }
    let reader = JournalReader::reading(folder, reading).ok()?; // told by who reads it
    contradiction_of(folder, &reader).filter(|it| !it.is_older_copy)
}

/// Whether the journal that its `LOCK` names has, where that was seen, what was seen of it here: then the chain vouches
/// for all of it, and what stands behind need not be read.
fn is_seen_there(folder: &Path, reading: Reading) -> bool {
    let LockFile::Sound(witness) = LockFile::read(folder) else { return false };
    let own = SeenFile::of(folder, &witness.journal()).and_then(|file| file.last());
    own.is_some_and(|own| {
        own.at.journal == witness.journal() && JournalReader::has_in(folder, reading, &own.at)
    })
}

/// As [`contradiction`]; where there is none, remembers how far it goes by its `LOCK`.
pub fn meet(
    folder: &Path,
    reader: &JournalReader,
    proven: Option<Bookmark>,
) -> Option<Contradiction> {
    let found = contradiction_of(folder, reader);
    if let (None, Some(proven)) = (&found, proven)
        && proven.mark.sequence > Sequence(0)
        && let Some(file) = SeenFile::of(folder, &reader.id())
        && file.last().is_none_or(|it| it.is_told || it.at.mark.sequence < proven.mark.sequence)
        && holds(reader, &proven)
    {
        // What is not noted is met again.
        drop(file.note(&proven));
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
        let (change, end, differs) = (Change::Replaced, reader.mark(), Sequence(1));
        let (shared, is_older_copy) = (None, false);
        return Some(Contradiction { change, seen, end, shared, differs, is_older_copy });
    }
    // What was seen under a name that leads here by now was seen here.
    let (here, missed): (Vec<_>, Vec<_>) = seen.into_iter().partition(|it| leads(it, folder));
    let is_missed = |it: &LastSeen| !holds(reader, &it.at);
    if let Some(own) = here.into_iter().find(is_missed) {
        return judge(folder, reader, own);
    }
    if !missed.iter().all(is_missed) {
        return None;
    }
    seen = missed;
    seen.order_by_key(|seen| std::cmp::Reverse(seen.at.mark.sequence));
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

/// Ends that are not there any more that are looked at: each costs a search.
const OTHERS_MAX: usize = 4;

fn judge(folder: &Path, reader: &JournalReader, seen: LastSeen) -> Option<Contradiction> {
    let (at, end) = (seen.at.mark.sequence, reader.mark());
    // A bundle is of the moment when it was made; of one segment, what lies elsewhere is not missing.
    if folder.is_file() && (end.sequence < at || at <= reader.begins_after()) {
        return None;
    }
    let is_here = leads(&seen, folder);
    let ends = known::ends(&reader.id()).into_iter();
    let mut known: Vec<_> = ends.chain(seen.before).collect();
    known.retain(|it| it.sequence < at && it.sequence <= end.sequence);
    known.order_by_key(|it| it.sequence);
    // A chain vouches for all that lies before it. Of what cannot be read nothing is said.
    let found = |it: &Mark| reader.mark_at(it.sequence).ok().flatten();
    let differs = |it: &Mark| found(it).is_some_and(|found| found != *it);
    // Ends of all copies are known, those that this one alone had as well: of one that lies elsewhere none says how far
    // both are the same, but the one before, which is of the same folder.
    let held = known.partition_point(|it| is_here && found(it) == Some(*it));
    let (held, others) = known.split_at(held);
    let looked_at = if is_here { OTHERS_MAX } else { others.len() };
    let is_rewritten = others.iter().take(looked_at).any(differs);
    let before = seen.before.filter(|it| it.sequence < at);
    if !seen.is_told && !is_rewritten && is_damage(reader, at) {
        return None;
    }
    // What cannot be read is told by who verifies.
    let is_missing = end.sequence < at || matches!(reader.get(at), Ok(None));
    let change = match is_here {
        _ if is_missing && !is_rewritten => Change::Cut,
        true => Change::Rewritten,
        false => Change::Forked,
    };
    let shared = match is_here {
        true => held.last().copied(),
        false => before.filter(|it| found(it) == Some(*it)),
    };
    let shared = shared.map(|it| it.sequence);
    let is_older_copy = !is_here && change == Change::Cut && is_end_of(&seen, reader);
    let differs = before.filter(differs).map_or(at, |it| it.sequence);
    Some(Contradiction { change, seen, end, shared, differs, is_older_copy })
}

/// Whether what was seen lies in this folder, whatever link leads to it.
fn leads(seen: &LastSeen, folder: &Path) -> bool {
    let here = enclosure::real(folder);
    // What cannot be found is elsewhere.
    here.is_ok_and(|here| enclosure::real(Path::new(&seen.folder)).is_ok_and(|it| it == here))
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

/// Events behind a loss that are looked at for one that tells of it: whoever finds it records it first.
const TOLD_WITHIN: usize = 64;

/// Whether of what is missing a fragment is there, or was and is told of. It was on disk when it was seen: what is gone
/// without a trace no loss of power took, and no `LOCK` that is left explains it.
fn is_damage(reader: &JournalReader, at: Sequence) -> bool {
    let is_missing = |lost: Option<(u64, u64)>| lost.is_some_and(|(first, _)| first <= at.0);
    let from = Sequence(at.0.min(reader.mark().sequence.0 + 1));
    reader.replay(from, None).take(TOLD_WITHIN).any(|item| match item {
        Ok(ReplayItem::Lost(finding)) => {
            finding.bytes > 0
                && finding.verdict.is_loss()
                && is_missing(finding.lost.map(|(first, last)| (first.0, last.0)))
        }
        Ok(ReplayItem::Event(recorded)) => RecordedLoss::of(&recorded).is_some_and(|it| {
            it.bytes > 0 && is_missing(it.lost.map(|(first, last)| (first.0, last.0)))
        }),
        _ => false,
    })
}

/// Remembers how far a copy goes that was read whole and holds: as far as its `LOCK` says that it was on disk, since
/// what was asked for as evidence may be what somebody writes to. Without one nobody does.
pub fn note_copy(folder: &Path) {
    let Ok(reader) = JournalReader::reading(folder, Reading::Evidence) else { return };
    let end = match LockFile::read(folder) {
        LockFile::Sound(witness) => Some(witness.proven()),
        LockFile::Missing => reader.end(),
        _ => None,
    };
    if let Some(end) = end.filter(|it| it.mark.sequence > Sequence(0) && holds(&reader, it))
        && folder.is_dir()
        && let Some(file) = SeenFile::of(folder, &reader.id())
    {
        // What is not noted is met again.
        drop(file.note(&end));
    }
}

/// Why nothing that is seen can be remembered, or is believed; `None` where it can.
pub fn unkept() -> Option<String> {
    let Some(folder) = environment::state_folder() else {
        return Some("there is no home folder to remember in: set HOME".to_owned());
    };
    let shown = folder.display();
    let there = folder.ancestors().find(|it| fs::symlink_metadata(it).is_ok())?;
    if there == folder && own_folder(&folder).is_err() {
        return Some(format!("{shown} is not a folder that you alone can write in"));
    }
    let flags = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
    let is_barred = rustix::fs::access(there, flags).is_err();
    is_barred.then(|| format!("nothing can be written in {shown}"))
}

/// Takes a journal as it is now for the one that was seen, whatever was before.
pub fn accept(folder: &Path, reader: &JournalReader) -> io::Result<()> {
    if folder.is_dir() {
        // What is remembered is on disk, whoever wrote it.
        home::flush(folder)?;
    }
    let end = reader.end().ok_or(io::ErrorKind::NotFound)?;
    begin_anew(folder, &reader.id());
    for kind in [Kind::Tree, Kind::Checkpoint, Kind::Sent, Kind::Orders] {
        outside::forget(kind, folder, &reader.id())?;
    }
    match SeenFile::of(folder, &reader.id()) {
        Some(file) => file.accept(&end),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}
