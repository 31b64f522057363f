//! The published files of one repository's memory: `memory.json`, `summaries.jsonl`, `indexes/`.
//!
//! Many processes, of several projects, may write one folder. `.lock` is held exclusively (fs2) while
//! anything is written. `memory.json` and the indexes are written beside themselves, made durable and
//! renamed into place, and the folder is made durable after; lines are put behind `summaries.jsonl` with
//! O_APPEND and made durable, and where that is no matter of appending the file is written whole like the
//! others. Whoever reads, without any lock, reads a whole `memory.json` and whole lines.
//!
//! `.cursor.json` says before the others change what they will be and what they were, so that a file is
//! known as ours wherever a writer died: what is neither was edited by a person, and is left as it is.
//! Everything goes by descriptor, through no link, under fixed names.
//!
//! Where there are no advisory locks. Windows: annals runs under WSL, whose own file systems have them.
//! NFS: Linux has flock there as a lock of the server's, for all machines; a mount with `nolock`, or with
//! `local_lock=flock`, locks one machine's processes against each other alone, so set `[repo] home` to a
//! folder of each machine's own there. A file system that refuses to lock (ENOLCK, EOPNOTSUPP) has nothing
//! published: the files lag, `annals status` says why, and nothing that was recorded waits for it.

mod clear;
mod lines;
mod publish;
mod sidecar;
mod state;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::journal::enclosure;
use crate::store::dir::Dir;
use crate::store::lock::WAIT_MAX;
use crate::store::{StoreError, fuse};

pub use clear::repos_of_journal;
pub use state::{Part, Standing, examine, is_current, look};

/// The folder that all repositories' folders are in, below the home.
pub const REPOS: &str = "repos";
pub const MEMORY: &str = "memory.json";
pub const SUMMARIES: &str = "summaries.jsonl";
/// The folder of the indexes of its tree.
pub const INDEXES: &str = "indexes";
/// A published file above this is nothing of ours.
pub const FILE_BYTES_MAX: u64 = 64 << 20;

pub fn repo_folder(home: &Path, repo: &str) -> PathBuf {
    home.join(REPOS).join(repo)
}

/// The folder of one repository, held against everybody else who writes.
#[derive(Debug)]
pub struct RepoFolder {
    path: PathBuf,
    dir: Dir,
    _lock: Lock,
}

impl RepoFolder {
    /// Makes the folder where there is none, and waits for its lock.
    pub fn hold(home: &Path, repo: &str) -> Result<Self, StoreError> {
        let path = repo_folder(home, repo);
        let failed = |source| StoreError::io(&path, "opening the folder", source);
        let folder = |home: Dir| make_child(&make_child(&home, REPOS)?, repo);
        let dir = made(home).and_then(folder).map_err(failed)?;
        let lock = Lock::exclusive(&dir, &path)?;
        Ok(Self { path, dir, _lock: lock })
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> StoreError {
        StoreError::io(&self.path, doing, source)
    }
}

/// The home's own folder: where a person put it may lead through links, below it nothing does.
fn made(home: &Path) -> io::Result<Dir> {
    enclosure::make_folders(home)?;
    Dir::open(&home.canonicalize()?)
}

fn there(home: &Path, repo: &str) -> io::Result<Option<Dir>> {
    let home = match home.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        home => Dir::open(&home?)?,
    };
    match child(&home, REPOS)? {
        Some(repos) => child(&repos, repo),
        None => Ok(None),
    }
}

/// A folder in another; `None` where there is none.
fn child(dir: &Dir, name: &str) -> io::Result<Option<Dir>> {
    dir.child(name).map_err(|error| in_the_way(dir, name, error))
}

fn make_child(dir: &Dir, name: &str) -> io::Result<Dir> {
    dir.make_child(name).map_err(|error| in_the_way(dir, name, error))
}

/// The error, or what lies in the folder's place.
fn in_the_way(dir: &Dir, name: &str, error: io::Error) -> io::Error {
    match sidecar::of_its_own(dir, name) {
        Ok(Some(Ok(_))) => blocked(name, "a file"),
        Ok(Some(Err(what))) if what != sidecar::FOLDER => blocked(name, what),
        _ => error,
    }
}

/// Something lies in a place that only a person may clear.
fn blocked(name: &str, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{name} is {what}: move it away"))
}

/// What a repository's files are to hold.
pub struct Wanted<'a> {
    /// The journal that says so, hexadecimal.
    pub journal: &'a str,
    /// The last event that is in them.
    pub sequence: u64,
    /// The last event that was looked at: files that know of a later one are not gone back on.
    pub read: u64,
    pub memory: WantedFile<'a>,
    /// The files below `indexes/`.
    pub indexes: Vec<WantedFile<'a>>,
    pub summaries: Box<dyn SummaryLines + 'a>,
}

/// What a file is made of, each with a name and a digest.
pub type Parts = Vec<(String, String)>;

/// Reads what a file of somebody's is made of; `None` where it is none, or says something besides.
pub type PartsOf<'a> = Box<dyn Fn(&[u8]) -> Option<Parts> + 'a>;

/// A file that is written whole.
pub struct WantedFile<'a> {
    pub name: &'static str,
    pub bytes: &'a [u8],
    /// What it is made of, each with a name and a digest, to be told again by the sidecar.
    pub parts: Parts,
    /// By which a file that says the same in another form is told from one that was edited.
    pub parts_of: Option<PartsOf<'a>>,
}

/// The lines of `summaries.jsonl`, in order; each ends with the end of a line.
pub trait SummaryLines {
    /// Lines after an event, at most so many, each with the event that brought it.
    fn after(&self, sequence: u64, limit: usize) -> io::Result<Vec<(u64, String)>>;

    /// How many there are up to an event.
    fn count(&self, through: u64) -> io::Result<u64>;

    /// A line of somebody's as we would write it; `None` where it is none.
    fn as_ours(&self, _line: &[u8]) -> Option<String> {
        None
    }
}

/// Writes a file beside its place, durable; its number in the file system. What a dead writer left there
/// is taken away.
fn stage(
    dir: &Dir,
    name: &str,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<u64> {
    let new = new(name);
    dir.remove(&new)?;
    let mut file = dir.create(&new)?;
    write(&mut file)?;
    fuse::sync(&file)?;
    Ok(file.metadata()?.ino())
}

/// What a file is called until it is in its place.
fn new(name: &str) -> String {
    format!(".{}.new", name.trim_start_matches('.'))
}

const LOCK: &str = ".lock";
const PAUSE: Duration = Duration::from_millis(2);

/// `.lock`, held: a flock.
#[derive(Debug)]
struct Lock(File);

impl Lock {
    /// Waits for the lock of a folder that is written.
    fn exclusive(dir: &Dir, path: &Path) -> Result<Self, StoreError> {
        let deadline = Instant::now() + WAIT_MAX;
        let failed = |source| StoreError::io(path, "locking the folder", source);
        loop {
            let file = opened(dir).map_err(failed)?;
            match fs2::FileExt::try_lock_exclusive(&file) {
                // Someone may have removed the file under us: then the next comer's is another.
                Ok(()) if is_at(dir, &file).map_err(failed)? => return Ok(Self(file)),
                Ok(()) => continue,
                Err(error) if is_held(&error) => {}
                Err(source) => return Err(failed(source)),
            }
            if Instant::now() >= deadline {
                return Err(StoreError::Locked { path: path.to_owned(), doing: "writing it" });
            }
            sleep(PAUSE);
        }
    }

    /// Waits for whoever writes, to look; `None` where nobody ever wrote, or no lock can be had.
    fn shared(dir: &Dir) -> Option<Self> {
        let file = dir.read(LOCK).ok()??; // then what is seen is whole file by file
        let deadline = Instant::now() + WAIT_MAX;
        while Instant::now() < deadline {
            match fs2::FileExt::try_lock_shared(&file) {
                Ok(()) => return Some(Self(file)),
                Err(error) if is_held(&error) => sleep(PAUSE),
                Err(_) => return None,
            }
        }
        None
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // By name, not by close: a child process may hold the descriptor. A failure here leaves the
        // lock to the close that follows.
        drop(fs2::FileExt::unlock(&self.0));
    }
}

fn opened(dir: &Dir) -> io::Result<File> {
    loop {
        if let Some(file) = dir.append(LOCK)? {
            return Ok(file);
        }
        match dir.create(LOCK) {
            // Somebody else has made it meanwhile.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
}

fn is_held(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
        || error.raw_os_error() == fs2::lock_contended_error().raw_os_error()
}

fn is_at(dir: &Dir, file: &File) -> io::Result<bool> {
    let held = file.metadata()?;
    let named = dir.named(LOCK)?;
    Ok(held.nlink() > 0
        && named.is_some_and(|named| held.ino() == named.inode && held.dev() == named.device))
}
