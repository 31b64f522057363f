//! How a repository's files stand, without a change to any.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use super::lines::{self, Found};
use super::sidecar::{Judged, Sidecar, hash_of, judge, of_its_own};
use super::{FILE_BYTES_MAX, INDEXES, Lock, MEMORY, SUMMARIES, Wanted, WantedFile, child, there};
use crate::store::StoreError;
use crate::store::dir::Dir;

/// How one file stands, or what was done about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// It holds what it is to hold.
    Current,
    /// It does not yet, and nobody edited it.
    Behind,
    Written,
    /// A person edited it: it was left.
    Edited,
    /// Something else has its name: it was left.
    NoFile(&'static str),
}

impl Part {
    pub fn is_left(&self) -> bool {
        matches!(self, Self::Edited | Self::NoFile(_))
    }
}

/// How a repository's files stand, or what was done about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Another journal that they are of, hexadecimal: then nothing else is said.
    pub other_journal: Option<String>,
    /// The last event that is in them by their own account.
    pub sequence: Option<u64>,
    /// Something was to be written that the files did not have before, or nothing is known of them.
    pub has_news: bool,
    /// The files know of a later event than whoever looks has read.
    pub is_ahead: bool,
    /// Each file by its name, those below `indexes/` with that before it.
    pub parts: Vec<(String, Part)>,
}

impl Standing {
    /// Whether nothing is to be done.
    pub fn is_current(&self) -> bool {
        self.other_journal.is_none()
            && (self.is_ahead || self.parts.iter().all(|(_, part)| *part == Part::Current))
    }

    pub fn is_left(&self) -> bool {
        self.other_journal.is_some() || self.left().next().is_some()
    }

    pub fn left(&self) -> impl Iterator<Item = (&str, &Part)> {
        let left = self.parts.iter().filter(|(_, part)| part.is_left());
        left.map(|(name, part)| (name.as_str(), part))
    }

    pub fn behind(&self) -> usize {
        self.parts.iter().filter(|(_, part)| *part == Part::Behind).count()
    }

    pub fn written(&self) -> usize {
        self.parts.iter().filter(|(_, part)| *part == Part::Written).count()
    }
}

/// Whether a repository's files say that they have everything up to this event, and are there as they
/// were left: what costs no more than names to look up.
pub fn is_current(home: &Path, repo: &str, journal: &str, sequence: u64) -> io::Result<bool> {
    let Some(dir) = there(home, repo)? else { return Ok(false) };
    let Some(sidecar) = Sidecar::read(&dir)? else { return Ok(false) };
    if sidecar.journal != journal || sidecar.sequence < sequence {
        return Ok(false);
    }
    let inode = |dir: &Dir, name: &str| Ok::<_, io::Error>(dir.named(name)?.map(|it| it.inode));
    let memory = sidecar.memory.as_ref().map(|memory| memory.inode);
    if memory.is_none() || inode(&dir, MEMORY)? != memory {
        return Ok(false);
    }
    let known = sidecar.memory.as_ref().and_then(|memory| memory.bytes);
    if known.is_some() && dir.named(MEMORY)?.map(|named| named.bytes) != known {
        return Ok(false);
    }
    let bytes = dir.named(SUMMARIES)?.map_or(0, |named| named.bytes);
    if sidecar.summaries.as_ref().map_or(0, |lines| lines.now.bytes) != bytes {
        return Ok(false);
    }
    if sidecar.indexes.is_empty() {
        return Ok(true);
    }
    let Some(indexes) = dir.child(INDEXES)? else { return Ok(false) };
    for (name, known) in &sidecar.indexes {
        // A name that a person put there is no way out of the folder.
        if name.contains('/') || inode(&indexes, name)? != Some(known.inode) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How a repository's files stand against what they are to hold.
pub fn look(home: &Path, repo: &str, wanted: &Wanted<'_>) -> Result<Standing, StoreError> {
    let path = super::repo_folder(home, repo);
    let looked = || -> io::Result<Standing> {
        let Some(dir) = there(home, repo)? else {
            return Ok(Standing { parts: behind(wanted), ..Standing::default() });
        };
        let _lock = Lock::shared(&dir);
        judged(&dir, wanted)
    };
    looked().map_err(|source| StoreError::io(&path, "looking at the files", source))
}

fn judged(dir: &Dir, wanted: &Wanted<'_>) -> io::Result<Standing> {
    let sidecar = Sidecar::read(dir)?;
    if let Some(standing) = not_ours(sidecar.as_ref(), wanted) {
        return Ok(standing);
    }
    let known = sidecar.as_ref();
    let sequence = known.map(|sidecar| sidecar.sequence);
    let mut parts = Vec::new();
    let memory = known.and_then(|sidecar| sidecar.memory.as_ref());
    let hash = hash_of(wanted.memory.bytes);
    parts.push((MEMORY.to_owned(), part(judge(Some(dir), &wanted.memory, memory, &hash)?)));
    parts.push((SUMMARIES.to_owned(), summaries(dir, sidecar.as_ref(), wanted)?));
    let indexes = child(dir, INDEXES)?;
    for file in &wanted.indexes {
        let known = known.and_then(|sidecar| sidecar.indexes.get(file.name));
        let judged = judge(indexes.as_ref(), file, known, &hash_of(file.bytes))?;
        parts.push((below_indexes(file), part(judged)));
    }
    Ok(Standing { sequence, parts, ..Standing::default() })
}

/// What is said of files that are another journal's, or that know more than whoever looks.
pub(super) fn not_ours(sidecar: Option<&Sidecar>, wanted: &Wanted<'_>) -> Option<Standing> {
    let sidecar = sidecar?;
    let sequence = Some(sidecar.sequence);
    if sidecar.journal != wanted.journal {
        let other_journal = Some(sidecar.journal.clone());
        return Some(Standing { other_journal, sequence, ..Standing::default() });
    }
    let is_ahead = sidecar.sequence > wanted.read;
    is_ahead.then(|| Standing { sequence, is_ahead, ..Standing::default() })
}

fn summaries(dir: &Dir, sidecar: Option<&Sidecar>, wanted: &Wanted<'_>) -> io::Result<Part> {
    let count = wanted.summaries.count(wanted.sequence)?;
    match of_its_own(dir, SUMMARIES)? {
        None if count == 0 => return Ok(Part::Current),
        None => return Ok(Part::Behind),
        Some(Err(what)) => return Ok(Part::NoFile(what)),
        Some(Ok(_)) => {}
    }
    let Some(file) = dir.read(SUMMARIES)? else { return Ok(Part::Behind) };
    let known = sidecar.and_then(|sidecar| sidecar.summaries.as_ref());
    Ok(match lines::found(&file, known, wanted.summaries.as_ref())? {
        Found::Edited => Part::Edited,
        Found::Ours { reached, is_torn: false } if reached.lines == count => {
            // An edit that left its length and its end as they were.
            let lines = wanted.summaries.as_ref();
            match lines::holds_all(&file, lines)?
                || lines::says_the_same(&file, reached.last, lines)?
            {
                true => Part::Current,
                false => Part::Edited,
            }
        }
        Found::Ours { .. } | Found::Between { .. } => Part::Behind,
    })
}

pub(super) fn below_indexes(file: &WantedFile<'_>) -> String {
    format!("{INDEXES}/{}", file.name)
}

fn behind(wanted: &Wanted<'_>) -> Vec<(String, Part)> {
    let mut parts = vec![(MEMORY.to_owned(), Part::Behind)];
    parts.extend(wanted.indexes.iter().map(|file| (below_indexes(file), Part::Behind)));
    parts
}

fn part(judged: Judged) -> Part {
    match judged {
        Judged::Wanted { .. } => Part::Current,
        Judged::Missing | Judged::Ours { .. } => Part::Behind,
        Judged::Edited => Part::Edited,
        Judged::NoFile(what) => Part::NoFile(what),
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    pub standing: Standing,
    /// The bytes of `memory.json`, where it was edited or is another journal's.
    pub memory: Option<Vec<u8>>,
    /// What it was made of when it was written, where that is known.
    pub parts: BTreeMap<String, String>,
    /// The bytes of `summaries.jsonl`, as `memory`.
    pub summaries: Option<Vec<u8>>,
    /// The event of the last line that was written, where that is known.
    pub last_line: u64,
}

/// What a person made of a repository's files; nothing where there are none.
pub fn examine(home: &Path, repo: &str, wanted: &Wanted<'_>) -> Result<Examined, StoreError> {
    let path = super::repo_folder(home, repo);
    let examined = || -> io::Result<Examined> {
        let Some(dir) = there(home, repo)? else { return Ok(Examined::default()) };
        let _lock = Lock::shared(&dir);
        let standing = judged(&dir, wanted)?;
        let mut found = Examined { standing, ..Examined::default() };
        let is_others = found.standing.other_journal.is_some();
        let is_edited = |standing: &Standing, file: &str| {
            standing.parts.iter().any(|(name, part)| name == file && *part == Part::Edited)
        };
        if is_others || is_edited(&found.standing, MEMORY) {
            found.memory = read(&dir, MEMORY)?;
        }
        if is_others || is_edited(&found.standing, SUMMARIES) {
            found.summaries = read(&dir, SUMMARIES)?;
        }
        // What another journal wrote is all news to this one.
        if let Some(sidecar) = Sidecar::read(&dir)?.filter(|_| !is_others) {
            found.parts = sidecar.memory.map(|memory| memory.parts).unwrap_or_default();
            found.last_line = sidecar.summaries.map_or(0, |lines| lines.now.last);
        }
        Ok(found)
    };
    examined().map_err(|source| StoreError::io(&path, "looking at the files", source))
}

fn read(dir: &Dir, name: &str) -> io::Result<Option<Vec<u8>>> {
    if !matches!(of_its_own(dir, name)?, Some(Ok(_))) {
        return Ok(None);
    }
    let Some(file) = dir.read(name)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
