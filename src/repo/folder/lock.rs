//! `.lock`: held while a repository's files are written, or looked at all together.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::store::StoreError;
use crate::store::dir::Dir;
use crate::store::lock::WAIT_MAX;

const NAME: &str = ".lock";
const PAUSE: Duration = Duration::from_millis(2);

/// A held flock.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// Waits for the lock of a folder that is written.
    pub fn exclusive(dir: &Dir, path: &Path) -> Result<Self, StoreError> {
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
    pub fn shared(dir: &Dir) -> Option<Self> {
        let file = dir.read(NAME).ok()??; // then what is seen is whole file by file
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
        if let Some(file) = dir.append(NAME)? {
            return Ok(file);
        }
        match dir.create(NAME) {
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
    let named = dir.named(NAME)?;
    Ok(held.nlink() > 0
        && named.is_some_and(|named| held.ino() == named.inode && held.dev() == named.device))
}
