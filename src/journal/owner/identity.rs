//! What a lock file says of itself: a copy of it says what another file is.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::MetadataExt;

/// More than any lock file of ours holds.
const BYTES_MAX: u64 = 256;

/// Which file a lock was taken on. The boot is for people: a device and an inode that match are the
/// file itself, in whatever boot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    boot: String,
    device: u64,
    inode: u64,
}

impl Identity {
    /// Of the file as it lies there.
    fn of(file: &File) -> io::Result<Self> {
        // Absent outside Linux.
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let boot = match boot.trim() {
            "" => "-".to_owned(),
            boot => boot.to_owned(),
        };
        let about = file.metadata()?;
        Ok(Self { boot, device: about.dev(), inode: about.ino() })
    }

    /// What a file's text says; `None` where it says nothing of the kind.
    fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let boot = words.next()?.to_owned();
        let (device, inode) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
        words.next().is_none().then_some(Self { boot, device, inode })
    }

    /// Writes into a file which one it is.
    pub(super) fn write(mut file: &File) -> io::Result<()> {
        let Self { boot, device, inode } = Self::of(file)?;
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(format!("{boot} {device} {inode}\n").as_bytes())
    }

    /// Whether a file says that it is itself: not copied from elsewhere, nor left by a build that
    /// wrote nothing.
    pub(super) fn is_its_own(file: &File) -> bool {
        let mut text = String::new();
        let Ok(_) = file.take(BYTES_MAX).read_to_string(&mut text) else { return false };
        let Ok(about) = file.metadata() else { return false };
        Self::parse(&text).is_some_and(|it| (it.device, it.inode) == (about.dev(), about.ino()))
    }
}
