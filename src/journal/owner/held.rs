//! A lock by name in the folder of owners, held by one process at a time and by none once it died.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{io, thread};

use super::is_free;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// A lock by name; dropping it lets go and removes the file.
#[derive(Debug)]
pub struct Held {
    file: File,
    path: PathBuf,
}

impl Held {
    /// Takes a lock, waiting so long for whoever has it; `None` where they still have it then.
    pub fn take(owners: &Path, name: &str, within: Duration) -> io::Result<Option<Self>> {
        enclosure::make_folder(owners)?;
        let (path, began) = (place(owners, name), Instant::now());
        loop {
            let file = enclosure::open(&path, OpenHow::ReadWriteOrCreate)?;
            match fs2::FileExt::try_lock_exclusive(&file) {
                // Whoever let go removed the file: a lock on that one keeps nobody out.
                Ok(()) if is_at(&file, &path) => return Ok(Some(Self { file, path })),
                Ok(()) => continue,
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                Err(_) if began.elapsed() >= within => return Ok(None),
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }

    /// Whether somebody who lives has it.
    pub fn is_held(owners: &Path, name: &str) -> bool {
        // Where there is no such file, or it cannot be opened, nobody is known to have it.
        enclosure::open(&place(owners, name), OpenHow::Read).is_ok_and(|file| !is_free(&file))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // By name before the lock goes, so that what is removed is ours. A file that stays is free.
        drop(enclosure::remove(&self.path));
        drop(fs2::FileExt::unlock(&self.file));
    }
}

/// Whether a file is what lies under this name.
fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), enclosure::look(path)) {
        (Ok(ours), Ok(there)) => (ours.dev(), ours.ino()) == there.identity,
        _ => false,
    }
}

fn place(owners: &Path, name: &str) -> PathBuf {
    owners.join(format!("{name}.lock"))
}
