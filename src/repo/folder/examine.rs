//! What a person made of a repository's files, for who wants to say how they differ.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::Path;

use super::judge::of_its_own;
use super::lock::Lock;
use super::sidecar::Sidecar;
use super::state::judged;
use super::{FILE_BYTES_MAX, MEMORY, Part, SUMMARIES, Standing, Wanted, there};
use crate::store::StoreError;
use crate::store::dir::Dir;

/// What a person made of a repository's files.
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
