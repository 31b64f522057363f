//! A store that is a folder of files, appended to or written whole.
//!
//! How far it goes is in `.cursor.json`, renamed into place when a transaction ends. Before a file is
//! touched, `.undo` says how it was: whoever finds that file cuts back what a dead writer left. Of the
//! files touched last the cursor knows how they ended, so that one that somebody changed is noticed
//! before anything is put behind it. Writers hold the store's lock exclusively from beginning to end,
//! readers share it.

mod reader;
mod state;
#[cfg(test)]
mod tests;
mod undo;
mod write;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::{fmt, io};

use rustix::io::Errno;

use super::dir::Dir;
use super::lock::StoreLock;
use super::{Cursor, Position, Rows, StoreError};
use crate::journal::enclosure;
use state::State;
use undo::Undo;
use write::Write;

pub use reader::FolderReader;

pub(crate) use reader::Lying;

#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Nobody else knows of it: nothing of it has to be undone.
    is_new: bool,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    dir: Dir,
    state: State,
    undo: Option<Undo>,
    pending: BTreeMap<FilePlace, Write>,
    pending_bytes: usize,
    /// In the order they were touched last.
    touched: Vec<FilePlace>,
    _lock: Option<StoreLock>,
}

impl Folder {
    pub fn create(path: &Path) -> Result<Self, StoreError> {
        // It is new: what a dead builder left was cleared away.
        enclosure::make_folder(path)
            .map_err(|source| StoreError::io(path, "making the store", source))?;
        Ok(Self { path: path.to_owned(), is_new: true, open: None })
    }

    /// Opens one that is there; what a dead writer left is cut back, and what a machine that lost
    /// power lost is noticed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let dir = opened(path)?;
        if dir.has(undo::UNDO).map_err(|error| sorted(path, error))? {
            let _lock = StoreLock::exclusive(path)?;
            undo::undo(&opened(path)?).map_err(|error| sorted(path, error))?;
        }
        let state = State::read(&dir).and_then(|state| match state.is_of_another_boot() {
            true => state.files_as_left(&dir, |_| false),
            false => Ok(()),
        });
        state.map_err(|error| sorted(path, error))?;
        Ok(Self { path: path.to_owned(), is_new: false, open: None })
    }

    /// Begins a transaction: nobody else writes or replaces the folder meanwhile.
    pub fn begin(&mut self) -> Result<(), StoreError> {
        let lock = match self.is_new {
            true => None,
            false => Some(StoreLock::exclusive(&self.path)?),
        };
        // It may have been replaced since it was opened.
        let dir = opened(&self.path)?;
        let begun = undo::undo(&dir).and_then(|()| State::read(&dir));
        let state = begun.map_err(|error| sorted(&self.path, error))?;
        self.open = Some(Open {
            dir,
            state,
            undo: None,
            pending: BTreeMap::new(),
            pending_bytes: 0,
            touched: Vec::new(),
            _lock: lock,
        });
        Ok(())
    }

    pub fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        match &self.open {
            Some(open) => Ok(open.state.cursor),
            None => {
                let state = State::read(&opened(&self.path)?);
                Ok(state.map_err(|error| sorted(&self.path, error))?.cursor)
            }
        }
    }

    pub fn append(&mut self, place: FilePlace, bytes: &[u8]) -> Result<(), StoreError> {
        let put = |write: &mut Write| {
            // What was taken away begins anew.
            write.gone = false;
            write.bytes.extend(bytes);
        };
        self.write(place, put, bytes.len())
    }

    pub fn replace(&mut self, place: FilePlace, bytes: Vec<u8>) -> Result<(), StoreError> {
        let count = bytes.len();
        self.write(place, |write| *write = Write { whole: true, gone: false, bytes }, count)
    }

    pub fn remove(&mut self, place: FilePlace) -> Result<(), StoreError> {
        if self.read(&place, 0)?.is_none() {
            return Ok(());
        }
        let gone = Write { whole: true, gone: true, bytes: Vec::new() };
        self.write(place, |write| *write = gone, 0)
    }

    /// At most so many bytes of a file as the transaction has it so far; `None` where it is not there.
    pub fn read(&self, place: &FilePlace, bytes_max: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(open) = &self.open else { return Ok(None) };
        open.held(place, bytes_max).map_err(|error| sorted(&self.path, error))
    }

    /// What is in a file is not what was written.
    pub fn differs(&self, place: &FilePlace, why: &str) -> StoreError {
        let source = io::Error::new(io::ErrorKind::InvalidData, format!("{place}: {why}"));
        StoreError::FilesDiffer { path: self.path.clone(), source }
    }

    /// Ends the transaction with the position that the files are as of.
    pub fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let cursor = Cursor { position, rows: Rows::default() };
        let ended = open.end(cursor, self.is_new);
        if ended.is_err() {
            self.open = Some(open);
        }
        ended.map_err(|error| sorted(&self.path, error))
    }

    pub fn rollback(&mut self) -> Result<(), StoreError> {
        match self.open.take() {
            Some(open) => undo::undo(&open.dir).map_err(|error| sorted(&self.path, error)),
            None => Ok(()),
        }
    }

    fn write(
        &mut self,
        place: FilePlace,
        put: impl FnOnce(&mut Write),
        bytes: usize,
    ) -> Result<(), StoreError> {
        let Some(open) = &mut self.open else {
            let source = io::Error::other("no transaction was begun");
            return Err(StoreError::io(&self.path, "writing a file", source));
        };
        put(open.pending.entry(place).or_default());
        open.pending_bytes += bytes;
        let kept = open.flush_above(write::PENDING_BYTES_MAX, self.is_new);
        kept.map_err(|error| sorted(&self.path, error))
    }
}

/// A folder that is there; [`StoreError::Missing`] where there is none.
fn opened(path: &Path) -> Result<Dir, StoreError> {
    Dir::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => StoreError::Missing { path: path.to_owned() },
        _ => sorted(path, error),
    })
}

/// What lies in the way, or is not as it was left, is told apart from what could not be done.
fn sorted(path: &Path, source: io::Error) -> StoreError {
    let in_the_way = [Errno::LOOP, Errno::NOTDIR, Errno::ISDIR, Errno::NXIO, Errno::EXIST]
        .contains(&Errno::from_io_error(&source).unwrap_or(Errno::IO))
        || enclosure::is_in_the_way(&source);
    match in_the_way || source.kind() == io::ErrorKind::InvalidData {
        true => StoreError::FilesDiffer { path: path.to_owned(), source },
        false => StoreError::io(path, "writing the folder's files", source),
    }
}

/// Bytes of a name that is taken as it is.
const NAME_BYTES_MAX: usize = 120;
/// Bytes that are kept of a name that is not.
const KEPT_BYTES_MAX: usize = 100;
/// Bytes that a file system takes.
const ANY_NAME_BYTES_MAX: usize = 255;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FilePlace {
    folders: Vec<String>,
    name: String,
}

impl FilePlace {
    /// The file `stem.extension` in these folders, each name made safe. Two different ways never
    /// lead to one file.
    pub fn of(folders: &[&str], stem: &str, extension: &str) -> Self {
        Self {
            folders: folders.iter().map(|folder| safe(folder)).collect(),
            name: format!("{}.{extension}", safe(stem)),
        }
    }

    /// Reads what `Display` wrote; `None` for what no place of ours could be.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts: Vec<String> = text.split('/').map(str::to_owned).collect();
        let name = parts.pop()?;
        let is_plain = |part: &String| {
            let length = part.len();
            !part.starts_with('.') && (1..=ANY_NAME_BYTES_MAX).contains(&length)
        };
        let plain = parts.iter().chain([&name]).all(is_plain) && !text.contains('\0');
        plain.then_some(Self { folders: parts, name })
    }

    fn folder_in(&self, dir: &Dir) -> io::Result<Option<Dir>> {
        let mut at = dir.child(".")?;
        for name in &self.folders {
            at = match at {
                Some(folder) => folder.child(name.as_str())?,
                None => return Ok(None),
            };
        }
        Ok(at)
    }

    fn file_in(&self, dir: &Dir) -> io::Result<Option<File>> {
        match self.folder_in(dir)? {
            Some(folder) => folder.read(self.name.as_str()),
            None => Ok(None),
        }
    }
}

impl fmt::Display for FilePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.folders.iter().try_for_each(|folder| write!(f, "{folder}/"))?;
        f.write_str(&self.name)
    }
}

/// A name that is one part of a path, hidden from nobody, and another for another name: what had to
/// be changed ends in a hash of what it was, behind a sign that no unchanged name has.
fn safe(name: &str) -> String {
    let is_whole = (1..=NAME_BYTES_MAX).contains(&name.len()) && !name.starts_with('.');
    if is_whole && name.chars().all(is_kept) {
        return name.to_owned();
    }
    let hash = blake3::hash(name.as_bytes()).to_hex();
    let mut kept = String::with_capacity(NAME_BYTES_MAX);
    for letter in name.chars() {
        if kept.len() + letter.len_utf8() > KEPT_BYTES_MAX {
            break;
        }
        let first = kept.is_empty() && letter == '.';
        kept.push(if is_kept(letter) && !first { letter } else { '_' });
    }
    format!("{kept}~{}", &hash[..16])
}

fn is_kept(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '+' | '=' | ',' | '@' | ' ')
}
