//! How a file stood: enough to tell that somebody changed it meanwhile.

use rustix::fs::Stat;

/// How a file stood: enough to tell that somebody changed it meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Snapshot {
    device: u64,
    inode: u64,
    bytes: i64,
    changed: (i64, i64),
}

impl Snapshot {
    pub(super) fn of(stat: &Stat) -> Self {
        // The types of these fields differ from system to system.
        #[allow(clippy::unnecessary_cast)]
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            bytes: stat.st_size as i64,
            changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}
