//! Reading and rewriting the log's file, in bounded time and memory, whatever lies there.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use super::HookLog;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// What is longer is not ours.
const BYTES_MAX: u64 = 1 << 20;
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_micros(250);

pub(super) fn path(annals_dir: &Path, agent: &str) -> PathBuf {
    annals_dir.join("hooks").join(format!("{agent}.json"))
}

pub(super) fn read(path: &Path) -> Option<HookLog> {
    parse(&enclosure::open(path, OpenHow::Read).ok()?) // none, or none of ours
}

/// Changes the log under a lock that is not waited for long: what is lost is a count.
pub(super) fn update(annals_dir: &Path, agent: &str, change: impl FnOnce(&mut HookLog)) {
    let path = path(annals_dir, agent);
    let open = || enclosure::open(&path, OpenHow::ReadWriteOrCreate);
    let made = |_| enclosure::make_folder(path.parent().unwrap_or(annals_dir)).and_then(|_| open());
    // Read-only, or not ours: there is no log then.
    let Ok(file) = open().or_else(made) else { return };
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

fn parse(mut file: &File) -> Option<HookLog> {
    let mut text = Vec::new();
    // What cannot be read, or is no log of ours, is begun anew.
    file.by_ref().take(BYTES_MAX).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
