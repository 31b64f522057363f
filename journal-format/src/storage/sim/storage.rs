//! One process's way to a simulated disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fmt, io};

use super::machine::Machine;
use super::media::Media;
use super::{Crash, Fault, OperationKind, SimFile, Snapshot};
use crate::storage::{OpenHow, Storage};

struct Shared {
    machine: Mutex<Machine>,
    freed: Condvar,
}

/// One process's way to a simulated disk; a clone is the same process.
#[derive(Clone)]
pub struct SimStorage {
    shared: Arc<Shared>,
    pub(super) process: u64,
}

impl fmt::Debug for SimStorage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimStorage").field("process", &self.process).finish_non_exhaustive()
    }
}

impl SimStorage {
    pub(super) const DEVICE: u64 = 1;

    /// An empty disk.
    pub fn new(seed: u64) -> Self {
        Self::boot(Media::default(), 1, seed)
    }

    pub(super) fn boot(media: Media, boot: u64, seed: u64) -> Self {
        let machine = Mutex::new(Machine::new(media, boot, seed));
        Self { shared: Arc::new(Shared { machine, freed: Condvar::new() }), process: 0 }
    }

    /// Another process on the same machine.
    pub fn process(&self) -> Self {
        let mut machine = self.machine();
        machine.processes_made += 1;
        Self { shared: Arc::clone(&self.shared), process: machine.processes_made - 1 }
    }

    /// This process dies, as by SIGKILL: its locks are free, its later calls fail, and what it
    /// wrote stays in the cache.
    pub fn kill(&self) {
        self.machine().kill(self.process);
        self.wake();
    }

    /// Power is lost: every later call here fails. Returns the same disk in a machine booted anew.
    pub fn crash(&self, crash: Crash) -> Self {
        let mut machine = self.machine();
        machine.switch_off();
        machine.snapshot().crash(crash)
    }

    /// Operations so far.
    pub fn operations(&self) -> u64 {
        self.machine().trace.len() as u64
    }

    /// The operations so far, in order.
    pub fn trace(&self) -> Vec<OperationKind> {
        self.machine().trace.clone()
    }

    /// Plans a fault.
    pub fn plan(&self, fault: Fault) {
        self.machine().faults.push(fault);
    }

    /// Forgets all planned faults: the disk was repaired.
    pub fn heal(&self) {
        self.machine().faults.clear();
    }

    /// Runs `act` before the operation of this number.
    pub fn interpose(&self, operation: u64, act: impl FnOnce() + Send + 'static) {
        self.machine().interposed.insert(operation, Box::new(act));
    }

    /// How long a blocking lock waits for another thread before it says that it would wait for
    /// ever; no time at all unless told.
    pub fn wait_for_locks(&self, patience: Duration) {
        self.machine().patience = patience;
    }

    /// Bytes of files the disk has room for; a write beyond is short, then `ENOSPC`.
    pub fn set_capacity(&self, bytes: Option<u64>) {
        self.machine().capacity_bytes = bytes;
    }

    /// Clean pages leave the cache: what a failed sync lost is now lost for readers too.
    pub fn drop_caches(&self) {
        self.machine().media.inodes_mut().for_each(super::inode::Inode::drop_cache);
    }

    /// The kernel's own write-back of a file fails: nobody is told until the next sync.
    pub fn fail_write_back(&self, path: &Path) {
        let mut machine = self.machine();
        let Machine { media, random, .. } = &mut *machine;
        let inode = media.names.inode(path);
        if let Some(inode) = inode.and_then(|inode| media.inode_mut(inode)) {
            inode.fail_write_back(random);
        }
    }

    /// Keeps a snapshot of now and after every operation that changes something.
    pub fn record(&self) {
        let mut machine = self.machine();
        machine.snapshots = Some(vec![machine.snapshot()]);
    }

    /// The snapshots kept since [`Self::record`]; ends the recording.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        self.machine().snapshots.take().unwrap_or_default()
    }

    /// The disk as it is now.
    pub fn snapshot(&self) -> Snapshot {
        self.machine().snapshot()
    }

    /// A file as processes see it; counts as no operation.
    pub fn bytes(&self, path: &Path) -> Option<Vec<u8>> {
        self.machine().media.at(path).map(|inode| inode.cached().to_vec())
    }

    /// A file as the disk holds it; counts as no operation.
    pub fn bytes_on_disk(&self, path: &Path) -> Option<Vec<u8>> {
        self.machine().media.at(path).map(|inode| inode.durable().to_vec())
    }

    /// Puts a file on the disk, synced, in place of any of that name; counts as no operation.
    pub fn put(&self, path: &Path, bytes: &[u8]) {
        self.machine().media.put(path, bytes);
    }

    /// All files.
    pub fn paths(&self) -> Vec<PathBuf> {
        self.machine().media.names.files().map(|(path, _)| path.to_owned()).collect()
    }

    pub(super) fn machine(&self) -> MutexGuard<'_, Machine> {
        self.shared.machine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs what was interposed before the next operation, then gives the machine.
    pub(super) fn enter(&self) -> MutexGuard<'_, Machine> {
        loop {
            let mut machine = self.machine();
            let number = machine.trace.len() as u64;
            let Some(act) = machine.interposed.remove(&number) else {
                return machine;
            };
            drop(machine);
            act();
        }
    }

    pub(super) fn wait<'m>(
        &self,
        machine: MutexGuard<'m, Machine>,
        patience: Duration,
    ) -> (MutexGuard<'m, Machine>, bool) {
        let waited = self.shared.freed.wait_timeout(machine, patience);
        let (machine, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        (machine, timeout.timed_out())
    }

    pub(super) fn wake(&self) {
        self.shared.freed.notify_all();
    }

    fn begin(&self, kind: OperationKind) -> io::Result<MutexGuard<'_, Machine>> {
        let mut machine = self.enter();
        machine.begin_plain(self.process, kind)?;
        Ok(machine)
    }
}

fn not_found() -> io::Error {
    io::Error::from_raw_os_error(2)
}

impl Storage for SimStorage {
    type File = SimFile;

    fn open(&self, path: &Path, how: OpenHow) -> io::Result<SimFile> {
        let mut machine = self.enter();
        let found = machine.media.names.inode(path);
        let makes = found.is_none() && !matches!(how, OpenHow::Read | OpenHow::ReadWrite);
        let kind = if makes { OperationKind::Create } else { OperationKind::Open };
        machine.begin_plain(self.process, kind)?;
        let inode = match found {
            Some(_) if how == OpenHow::CreateNew => return Err(io::Error::from_raw_os_error(17)),
            Some(inode) => inode,
            None if machine.media.names.has_folder(path) => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
            }
            None if !makes => return Err(not_found()),
            None => {
                if !path.parent().is_some_and(|folder| machine.media.names.has_folder(folder)) {
                    return Err(not_found());
                }
                machine.media.create(path)
            }
        };
        let descriptor = machine.describe(self.process, inode, how != OpenHow::Read);
        if makes {
            machine.done();
        }
        Ok(SimFile { storage: self.clone(), descriptor })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let machine = self.begin(OperationKind::List)?;
        let names = &machine.media.names;
        if names.has_folder(folder) { Ok(names.list(folder)) } else { Err(not_found()) }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut machine = self.begin(OperationKind::Rename)?;
        let names = &mut machine.media.names;
        let inode = names.inode(from).ok_or_else(not_found)?;
        if !to.parent().is_some_and(|folder| names.has_folder(folder)) {
            return Err(not_found());
        }
        names.rename(from, to, inode);
        machine.done();
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut machine = self.begin(OperationKind::Remove)?;
        machine.media.names.inode(path).ok_or_else(not_found)?;
        machine.media.names.remove(path);
        machine.done();
        Ok(())
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        let mut machine = self.begin(OperationKind::CreateFolder)?;
        let missing = machine.media.names.create_folder(folder);
        machine.done();
        drop(machine);
        missing.iter().filter_map(|path| path.parent()).try_for_each(|it| self.sync_folder(it))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        let mut machine = self.begin(OperationKind::SyncFolder)?;
        if !machine.media.names.has_folder(folder) {
            return Err(not_found());
        }
        machine.media.names.sync(folder);
        machine.done();
        Ok(())
    }

    fn identity_of(&self, path: &Path) -> io::Result<(u64, u64)> {
        let machine = self.begin(OperationKind::Identity)?;
        Ok((Self::DEVICE, machine.media.names.inode(path).ok_or_else(not_found)?))
    }

    fn boot_id(&self) -> [u8; 16] {
        let mut id = [0xB0; 16];
        id[..8].copy_from_slice(&self.machine().boot.to_le_bytes());
        id
    }
}
