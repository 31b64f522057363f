//! Takes a journal's files away where it has nothing of their repository any more.

use std::fs::File;
use std::io;
use std::path::Path;

use super::lines::{self, Found};
use super::sidecar::{self, Sidecar, Whole, of_its_own};
use super::{INDEXES, MEMORY, REPOS, RepoFolder, SUMMARIES, SummaryLines, child, new};
use crate::store::StoreError;
use crate::store::dir::Dir;

/// The repositories whose files a journal wrote by their own account, by its id in hexadecimal digits.
pub fn repos_of_journal(home: &Path, journal: &str) -> Result<Vec<String>, StoreError> {
    let path = home.join(REPOS);
    let listed = || -> io::Result<Vec<String>> {
        let home = match home.canonicalize() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            home => Dir::open(&home?)?,
        };
        let Some(repos) = child(&home, REPOS)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for entry in repos.entries()? {
            // What is no folder, or has another name than ours do, is none of ours.
            let Ok(name) = entry.name.into_string() else { continue };
            let Ok(Some(folder)) = repos.child(name.as_str()) else { continue };
            if Sidecar::read(&folder)?.is_some_and(|it| it.journal == journal) {
                found.push(name);
            }
        }
        found.sort();
        Ok(found)
    };
    listed().map_err(|source| StoreError::io(&path, "looking for the files", source))
}

impl RepoFolder {
    /// Removes what was published. What a person edited is left: its names.
    pub fn clear(&self) -> Result<Vec<String>, StoreError> {
        self.cleared().map_err(|source| self.failed("removing the files", source))
    }

    fn cleared(&self) -> io::Result<Vec<String>> {
        let Some(known) = Sidecar::read(&self.dir)? else { return Ok(Vec::new()) };
        let mut left = Vec::new();
        if !whole(&self.dir, MEMORY, known.memory.as_ref())? {
            left.push(MEMORY.to_owned());
        }
        if !take(&self.dir, SUMMARIES, |file| {
            Ok(lines::found(file, known.summaries.as_ref(), &NoLines)? != Found::Edited)
        })? {
            left.push(SUMMARIES.to_owned());
        }
        if let Some(indexes) = child(&self.dir, INDEXES)? {
            // A name that a person put there is no way out of the folder.
            for (name, index) in known.indexes.iter().filter(|(name, _)| !name.contains('/')) {
                if !whole(&indexes, name, Some(index))? {
                    left.push(format!("{INDEXES}/{name}"));
                }
            }
            indexes.sync()?;
        }
        if left.is_empty() {
            self.dir.remove(sidecar::NAME)?;
        }
        self.dir.sync()?;
        Ok(left)
    }
}

/// Removes a file that is as it was left; whether none is there then.
fn whole(dir: &Dir, name: &str, known: Option<&Whole>) -> io::Result<bool> {
    take(dir, name, |file| {
        let mut hash = blake3::Hasher::new();
        io::copy(&mut &*file, &mut hash)?;
        let hash = hash.finalize().to_hex().to_string();
        Ok(known.is_some_and(|it| it.hash == hash || it.before.as_ref() == Some(&hash)))
    })
}

fn take(dir: &Dir, name: &str, is_ours: impl Fn(&File) -> io::Result<bool>) -> io::Result<bool> {
    dir.remove(&new(name))?;
    match of_its_own(dir, name)? {
        None => return Ok(true),
        Some(Err(_)) => return Ok(false),
        Some(Ok(_)) => {}
    }
    if let Some(file) = dir.read(name)?
        && !is_ours(&file)?
    {
        return Ok(false);
    }
    dir.remove(name).map(|()| true)
}

/// No line is to be there.
struct NoLines;

impl SummaryLines for NoLines {
    fn after(&self, _sequence: u64, _limit: usize) -> io::Result<Vec<(u64, String)>> {
        Ok(Vec::new())
    }

    fn count(&self, _through: u64) -> io::Result<u64> {
        Ok(0)
    }
}
