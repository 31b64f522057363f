//! The disk and its cache at one moment of a schedule.

use super::media::Media;
use super::{Crash, SimStorage};

/// The disk and its cache at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Operations done before it.
    pub operations: u64,
    pub(super) boot: u64,
    pub(super) media: Media,
}

impl Snapshot {
    /// The disk after power was lost at this moment, in a machine booted anew.
    pub fn crash(&self, crash: Crash) -> SimStorage {
        SimStorage::boot(self.media.after_crash(crash), self.boot + 1, crash.seed)
    }

    /// The disk after all processes were killed at this moment: the cache survives.
    pub fn kill(&self, seed: u64) -> SimStorage {
        SimStorage::boot(self.media.clone(), self.boot, seed)
    }
}
