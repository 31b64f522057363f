//! An open file of the simulated disk.

use std::io;
use std::sync::MutexGuard;

use super::machine::{Descriptor, Machine};
use super::{FaultKind, OperationKind, SimStorage};
use crate::storage::{LockKind, StorageFile};

/// An open file of the simulated disk. Dropping it closes it, and frees its lock.
pub struct SimFile {
    pub(super) storage: SimStorage,
    pub(super) descriptor: u64,
}

impl SimFile {
    fn begin(&self, kind: OperationKind) -> io::Result<MutexGuard<'_, Machine>> {
        let mut machine = self.storage.enter();
        machine.begin_plain(self.storage.process, kind)?;
        Ok(machine)
    }

    fn about<'m>(&self, machine: &'m mut Machine) -> io::Result<&'m mut Descriptor> {
        machine.descriptors.get_mut(&self.descriptor).ok_or_else(super::fault::gone)
    }

    fn inode(&self, machine: &mut Machine) -> io::Result<u64> {
        self.about(machine).map(|about| about.inode)
    }
}

/// A write that comes short ends at a multiple of this in the file: devices and file systems stop
/// at sectors and blocks.
const UNIT_BYTES: u64 = 8;

fn aligned(taken: u64, offset: u64) -> u64 {
    ((offset + taken) / UNIT_BYTES * UNIT_BYTES).saturating_sub(offset)
}

/// The descriptor cannot do that (`EBADF`).
fn bad_descriptor() -> io::Error {
    io::Error::from_raw_os_error(9)
}

fn nobody_frees_it() -> io::Error {
    let held = "simulated: another descriptor holds the lock and nobody will free it";
    io::Error::new(io::ErrorKind::WouldBlock, held)
}

impl StorageFile for SimFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut machine = self.begin(OperationKind::Read)?;
        let inode = self.inode(&mut machine)?;
        Ok(machine.media.inode(inode).map_or(0, |inode| inode.read(buffer, offset)))
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        let mut machine = self.storage.enter();
        let mut fault = machine.begin(self.storage.process, OperationKind::Write)?;
        let about = self.about(&mut machine)?;
        let (inode, writable) = (about.inode, about.writable);
        if !writable {
            return Err(bad_descriptor());
        }
        let mut taken = match fault {
            None => bytes.len(),
            Some(FaultKind::Efbig) => 0,
            // At least some bytes, or no progress could be told from the end of the disk.
            Some(FaultKind::ShortWrite) => {
                let taken = machine.random.below(bytes.len() as u64);
                aligned(taken, offset).max(UNIT_BYTES.min(bytes.len() as u64)) as usize
            }
            // Never all of it: an error means that some did not get there.
            Some(_) => aligned(machine.random.below(bytes.len() as u64), offset) as usize,
        };
        if let (Some(capacity), None) = (machine.capacity_bytes, fault) {
            let used = machine.media.bytes_used();
            let len = machine.media.inode(inode).map_or(0, super::inode::Inode::len);
            let end = len.saturating_add(capacity.saturating_sub(used));
            taken = taken.min(end.saturating_sub(offset) as usize);
            if taken == 0 && !bytes.is_empty() {
                fault = Some(FaultKind::Enospc);
            }
        }
        taken = taken.min(bytes.len());
        if let Some(inode) = machine.media.inode_mut(inode) {
            inode.write(&bytes[..taken], offset);
        }
        machine.done();
        match fault {
            None | Some(FaultKind::ShortWrite) => Ok(taken),
            // As Linux: what there was room for is a short write, the next one says why.
            Some(FaultKind::Enospc | FaultKind::Efbig) if taken > 0 => Ok(taken),
            Some(fault) => Err(fault.error()),
        }
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut machine = self.storage.enter();
        let fault = machine.begin(self.storage.process, OperationKind::Sync)?;
        let about = self.about(&mut machine)?;
        let (inode, mut errors_seen) = (about.inode, about.errors_seen);
        let Machine { media, random, .. } = &mut *machine;
        let synced = match (media.inode_mut(inode), fault) {
            (None, _) => Ok(()),
            (Some(inode), None) => inode.sync(&mut errors_seen),
            (Some(inode), Some(_)) => {
                inode.fail_sync(random, &mut errors_seen);
                Err(())
            }
        };
        self.about(&mut machine)?.errors_seen = errors_seen;
        machine.done();
        synced.map_err(|()| FaultKind::FailedSync.error())
    }

    fn len(&self) -> io::Result<u64> {
        let mut machine = self.begin(OperationKind::Len)?;
        let inode = self.inode(&mut machine)?;
        Ok(machine.media.inode(inode).map_or(0, super::inode::Inode::len))
    }

    fn lock(&self, kind: LockKind) -> io::Result<()> {
        let mut machine = self.begin(OperationKind::Lock)?;
        loop {
            machine.check_alive(self.storage.process)?;
            let inode = self.inode(&mut machine)?;
            if machine.locks.take(inode, self.descriptor, kind) {
                return Ok(());
            }
            let patience = machine.patience;
            let waited = self.storage.wait(machine, patience);
            machine = waited.0;
            if waited.1 {
                return Err(nobody_frees_it());
            }
        }
    }

    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        let mut machine = self.begin(OperationKind::Lock)?;
        let inode = self.inode(&mut machine)?;
        let taken = machine.locks.take(inode, self.descriptor, kind);
        if !taken && machine.waits_for_ever() {
            return Err(nobody_frees_it());
        }
        Ok(taken)
    }

    fn unlock(&self) -> io::Result<()> {
        let mut machine = self.begin(OperationKind::Unlock)?;
        let inode = self.inode(&mut machine)?;
        machine.locks.release(inode, self.descriptor);
        drop(machine);
        self.storage.wake();
        Ok(())
    }

    fn identity(&self) -> io::Result<((u64, u64), u64)> {
        let mut machine = self.begin(OperationKind::Identity)?;
        let inode = self.inode(&mut machine)?;
        Ok(((SimStorage::DEVICE, inode), machine.media.names.links(inode)))
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        self.storage.machine().close(self.descriptor);
        self.storage.wake();
    }
}
