//! What a log owes at each append that other processes append to as well: the floor, and no more than that beside it.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use annals_journal_format::Chain;
use annals_journal_format::chain::link;
use annals_journal_format::storage::{FsStorage, Storage};
use fs2::FileExt as _;

use super::RawFile;
use crate::BenchError;

/// As much as the journal keeps in its own.
const SLOT_BYTES: usize = 168;

/// A raw file that is locked for each append, whose lock's name still leads to it, with a chain of hashes in a slot that
/// says how far it is on disk.
pub struct OwedFile {
    raw: RawFile,
    path: PathBuf,
    lock: File,
    inode: u64,
}

impl OwedFile {
    pub fn of(raw: RawFile, folder: &Path) -> Result<Self, BenchError> {
        let path = folder.join("LOCK");
        let mut how = OpenOptions::new();
        let lock = how.read(true).write(true).create(true).truncate(true).open(&path);
        let lock = lock.map_err(BenchError::io("making a lock"))?;
        lock.set_len(SLOT_BYTES as u64).map_err(BenchError::io("making a lock"))?;
        let inode = lock.metadata().map_err(BenchError::io("making a lock"))?.ino();
        Ok(Self { raw, path, lock, inode })
    }

    /// Appends; durable where it returns.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), BenchError> {
        self.lock.lock_exclusive().map_err(BenchError::io("locking"))?;
        self.look()?;
        let mut slot = self.slot()?;
        let before: [u8; 32] = slot[..32].try_into().unwrap_or_default();
        let after = link(Chain(before), bytes);
        self.raw.write(bytes)?;
        self.lock.unlock().map_err(BenchError::io("unlocking"))?;
        self.raw.sync()?;
        // Others may have come further meanwhile, and what is told to be there must have a name.
        self.lock.lock_exclusive().map_err(BenchError::io("locking"))?;
        let _others = self.slot()?;
        slot[..32].copy_from_slice(&after.0);
        self.lock.write_all_at(&slot, 0).map_err(BenchError::io("writing a slot"))?;
        self.look()?;
        self.lock.unlock().map_err(BenchError::io("unlocking"))
    }

    fn slot(&self) -> Result<[u8; SLOT_BYTES], BenchError> {
        let mut slot = [0; SLOT_BYTES];
        self.lock.read_exact_at(&mut slot, 0).map_err(BenchError::io("reading a slot"))?;
        Ok(slot)
    }

    fn look(&self) -> Result<(), BenchError> {
        // Without its times: a flush would wait for those.
        let named = FsStorage.identity_of(&self.path);
        match named.map_err(BenchError::io("looking at a lock"))?.1 == self.inode {
            true => Ok(()),
            false => Err(BenchError::Usage("the lock is another file".to_owned())),
        }
    }
}
