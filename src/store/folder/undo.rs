//! What a transaction that never ended has to be undone by: `.undo`, a JSON line a file, written
//! before the file is touched.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde::{Deserialize, Serialize};

use super::FilePlace;
use super::state::State;
use crate::store::dir::Dir;
use crate::store::fuse;

pub(super) const UNDO: &str = ".undo";
/// What the names of files begin with that were written anew, as they were.
pub(super) const KEPT: &str = ".kept-";
/// More is no transaction's.
const BYTES_MAX: u64 = 1 << 30;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Before {
    Absent,
    Bytes(u64),
    /// It lies under this name.
    Kept(String),
}

#[derive(Serialize, Deserialize)]
struct Line {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<String>,
}

#[derive(Debug)]
pub(super) struct Undo {
    file: File,
    noted: BTreeMap<FilePlace, Before>,
}

impl Undo {
    /// Begins one; it is of the transaction that follows this state, and of no other.
    pub fn begin(dir: &Dir, state: &State) -> io::Result<Self> {
        let mut file = dir.create(UNDO)?;
        fuse::write(&mut file, format!("{}\n", follows(state)).as_bytes())?;
        Ok(Self { file, noted: BTreeMap::new() })
    }

    pub fn has(&self, place: &FilePlace) -> bool {
        self.noted.contains_key(place)
    }

    pub fn len(&self) -> usize {
        self.noted.len()
    }

    pub fn note(&mut self, place: &FilePlace, before: Before) -> io::Result<()> {
        let (bytes, kept) = match &before {
            Before::Absent => (None, None),
            Before::Bytes(bytes) => (Some(*bytes), None),
            Before::Kept(name) => (None, Some(name.clone())),
        };
        let mut line = serde_json::to_vec(&Line { path: place.to_string(), bytes, kept })?;
        line.push(b'\n');
        fuse::write(&mut self.file, &line)?;
        self.noted.insert(place.clone(), before);
        Ok(())
    }
}

/// What is to be undone; nothing where the transaction did end, or there was none.
pub(super) fn pending(dir: &Dir, state: &State) -> io::Result<BTreeMap<FilePlace, Before>> {
    let mut found = BTreeMap::new();
    let Some(file) = dir.read(UNDO)? else { return Ok(found) };
    let mut lines = BufReader::new(file.take(BYTES_MAX)).split(b'\n');
    match lines.next().transpose()? {
        Some(first) if first == follows(state).as_bytes() => {}
        _ => return Ok(found),
    }
    for line in lines {
        // A line that is cut short was not acted on.
        let Ok(line) = serde_json::from_slice::<Line>(&line?) else { break };
        let before = match (line.bytes, line.kept) {
            (_, Some(kept)) if is_kept_name(&kept) => Before::Kept(kept),
            // Nobody of ours wrote that.
            (_, Some(_)) => continue,
            (Some(bytes), _) => Before::Bytes(bytes),
            _ => Before::Absent,
        };
        if let Some(place) = FilePlace::parse(&line.path) {
            found.entry(place).or_insert(before);
        }
    }
    Ok(found)
}

/// Makes everything as it was before a transaction that did not end, and forgets it.
pub(super) fn undo(dir: &Dir) -> io::Result<()> {
    if !dir.has(UNDO)? {
        return Ok(());
    }
    let state = State::read(dir)?;
    for (place, before) in pending(dir, &state)? {
        let Some(folder) = place.folder_in(dir)? else { continue };
        match before {
            Before::Absent => folder.remove(&place.name)?,
            Before::Bytes(bytes) => {
                if let Some(file) = folder.append(&place.name)?
                    && file.metadata()?.len() > bytes
                {
                    fuse::step()?;
                    file.set_len(bytes)?;
                }
            }
            Before::Kept(kept) if dir.has(&kept)? => dir.rename(&kept, &folder, &place.name)?,
            Before::Kept(_) => {}
        }
    }
    forget(dir)
}

/// Forgets what could have been undone: what was kept first, since `.undo` says where it belongs.
pub(super) fn forget(dir: &Dir) -> io::Result<()> {
    for entry in dir.entries()? {
        if let Ok(name) = entry.name.to_str()
            && name.starts_with(KEPT)
        {
            dir.remove(name)?;
        }
    }
    dir.remove(UNDO)
}

fn is_kept_name(name: &str) -> bool {
    name.strip_prefix(KEPT).is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
}

fn follows(state: &State) -> String {
    match &state.cursor {
        Some(cursor) => format!("{} {}", cursor.name(), cursor.position.sequence),
        None => "none".to_owned(),
    }
}
