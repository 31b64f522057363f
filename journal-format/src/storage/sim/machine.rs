//! A machine with one disk: its processes, their descriptors and locks, its faults.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Duration;

use super::fault::gone;
use super::locks::Locks;
use super::media::Media;
use super::{Fault, FaultKind, OperationKind, Random, Snapshot};

/// In a schedule of one thread, who tries a lock more often tries in vain.
const REFUSALS_MAX: u32 = 40;

/// An open file description.
#[derive(Debug)]
pub(super) struct Descriptor {
    pub(super) inode: u64,
    pub(super) process: u64,
    pub(super) writable: bool,
    /// How many write-back errors of the file it was told, or was opened after.
    pub(super) errors_seen: u64,
}

/// What runs before a planned operation.
pub(super) type Interposed = Box<dyn FnOnce() + Send>;

/// The state behind every handle.
pub(super) struct Machine {
    pub(super) media: Media,
    pub(super) locks: Locks,
    pub(super) descriptors: BTreeMap<u64, Descriptor>,
    descriptors_made: u64,
    pub(super) processes_made: u64,
    dead: BTreeSet<u64>,
    off: bool,
    pub(super) boot: u64,
    pub(super) trace: Vec<OperationKind>,
    pub(super) faults: Vec<Fault>,
    interrupted: bool,
    /// Refused attempts at a lock since anyone did anything else.
    refused: u32,
    pub(super) interposed: BTreeMap<u64, Interposed>,
    pub(super) snapshots: Option<Vec<Snapshot>>,
    pub(super) capacity_bytes: Option<u64>,
    pub(super) patience: Duration,
    pub(super) random: Random,
}

impl Machine {
    pub(super) fn new(media: Media, boot: u64, seed: u64) -> Self {
        Self {
            media,
            locks: Locks::default(),
            descriptors: BTreeMap::new(),
            descriptors_made: 0,
            processes_made: 1,
            dead: BTreeSet::new(),
            off: false,
            boot,
            trace: Vec::new(),
            faults: Vec::new(),
            interrupted: false,
            refused: 0,
            interposed: BTreeMap::new(),
            snapshots: None,
            capacity_bytes: None,
            patience: Duration::ZERO,
            random: Random::new(seed),
        }
    }

    /// Counts an operation and says which fault it meets.
    pub(super) fn begin(
        &mut self,
        process: u64,
        kind: OperationKind,
    ) -> io::Result<Option<FaultKind>> {
        self.check_alive(process)?;
        let number = self.trace.len() as u64;
        self.trace.push(kind);
        if kind != OperationKind::Lock {
            self.refused = 0;
        }
        let met = self.faults.iter().find(|fault| {
            (fault.at == number || fault.sticky && fault.at < number) && fault.kind.meets(kind)
        });
        match met.map(|fault| (fault.kind, fault.sticky)) {
            Some((FaultKind::PowerLoss, _)) => {
                self.off = true;
                Err(gone())
            }
            Some((FaultKind::Kill, _)) => {
                self.kill(process);
                Err(gone())
            }
            Some((FaultKind::Eintr, sticky)) => {
                self.interrupted = !(sticky && self.interrupted);
                if self.interrupted { Err(FaultKind::Eintr.error()) } else { Ok(None) }
            }
            met => Ok(met.map(|(kind, _)| kind)),
        }
    }

    /// As [`Self::begin`], where every fault means that the operation fails and does nothing.
    pub(super) fn begin_plain(&mut self, process: u64, kind: OperationKind) -> io::Result<()> {
        self.begin(process, kind)?.map_or(Ok(()), |fault| Err(fault.error()))
    }

    /// Notes a refused attempt at a lock; whether the caller tries for ever, because every other
    /// process stands still meanwhile.
    pub(super) fn waits_for_ever(&mut self) -> bool {
        self.refused += 1;
        self.patience.is_zero() && self.refused > REFUSALS_MAX
    }

    /// Keeps a snapshot after an operation that changed something.
    pub(super) fn done(&mut self) {
        if self.snapshots.is_some() {
            let snapshot = self.snapshot();
            self.snapshots.get_or_insert_default().push(snapshot);
        }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot { operations: self.trace.len() as u64, boot: self.boot, media: self.media.clone() }
    }

    pub(super) fn check_alive(&self, process: u64) -> io::Result<()> {
        if self.off || self.dead.contains(&process) { Err(gone()) } else { Ok(()) }
    }

    pub(super) fn switch_off(&mut self) {
        self.off = true;
    }

    /// A process dies: its descriptors are closed, what it wrote stays in the cache.
    pub(super) fn kill(&mut self, process: u64) {
        self.dead.insert(process);
        let (locks, descriptors) = (&mut self.locks, &mut self.descriptors);
        descriptors.retain(|descriptor, about| {
            if about.process == process {
                locks.release(about.inode, *descriptor);
            }
            about.process != process
        });
    }

    pub(super) fn describe(&mut self, process: u64, inode: u64, writable: bool) -> u64 {
        let errors_seen = self.media.inode(inode).map_or(0, |inode| inode.errors_at_open());
        self.descriptors_made += 1;
        let descriptor = Descriptor { inode, process, writable, errors_seen };
        self.descriptors.insert(self.descriptors_made, descriptor);
        self.descriptors_made
    }

    pub(super) fn close(&mut self, descriptor: u64) {
        if let Some(about) = self.descriptors.remove(&descriptor) {
            self.locks.release(about.inode, descriptor);
        }
    }
}
