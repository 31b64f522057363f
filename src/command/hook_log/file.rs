//! Reading and rewriting the log's file, in bounded time and memory, whatever lies there.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::OFlags;

use super::HookLog;

/// What is longer is not ours.
const BYTES_MAX: u64 = 1 << 20;
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_micros(250);

pub(super) fn path(annals_dir: &Path, agent: &str) -> PathBuf {
    annals_dir.join("hooks").join(format!("{agent}.json"))
}

pub(super) fn read(path: &Path) -> Option<HookLog> {
    parse(&open(path, false)?)
}

/// Changes the log under a lock that is not waited for long: what is lost is a count.
pub(super) fn update(annals_dir: &Path, agent: &str, change: impl FnOnce(&mut HookLog)) {
    let path = path(annals_dir, agent);
    let made = || {
        let folder = path.parent().unwrap_or(annals_dir);
        // Where it cannot be made the file cannot either, and that is known next.
        drop(DirBuilder::new().mode(0o700).create(folder));
        open(&path, true)
    };
    let Some(file) = open(&path, true).or_else(made) else { return };
    let locked = (0..TRIES).any(|turn| {
        if turn > 0 {
            sleep(PAUSE);
        }
        fs2::FileExt::try_lock_exclusive(&file).is_ok()
    });
    if !locked {
        return;
    }
    let mut log = parse(&file).unwrap_or_default();
    change(&mut log);
    if let Ok(text) = serde_json::to_vec(&log) {
        let longer = file.metadata().is_ok_and(|about| about.len() > text.len() as u64);
        // A log that could not be written is no reason to trouble an agent.
        let written = file.write_all_at(&text, 0);
        if written.is_ok() && longer {
            drop(file.set_len(text.len() as u64));
        }
    }
    drop(fs2::FileExt::unlock(&file));
}

/// A regular file of ours; not what a link leads to, and no pipe that would be waited for.
fn open(path: &Path, write: bool) -> Option<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).unwrap_or(0);
    let mut options = OpenOptions::new();
    options.read(true).write(write).create(write).mode(0o600).custom_flags(flags);
    // Missing, read-only or not ours: there is no log then.
    let file = options.open(path).ok()?;
    file.metadata().is_ok_and(|about| about.is_file()).then_some(file)
}

fn parse(mut file: &File) -> Option<HookLog> {
    let mut text = Vec::new();
    // What cannot be read, or is no log of ours, is begun anew.
    file.by_ref().take(BYTES_MAX).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
