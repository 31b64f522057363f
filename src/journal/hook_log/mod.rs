//! What an agent's hooks have done here: `.annals/hooks/{agent}.json`, small, unsynced, for people.
//!
//! A hook cannot print: what goes wrong in it is told to the agent's user once and would be gone.
//! Here the last fault stays until somebody asks `annals status`.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// Names of hooks that are kept, of each agent.
const HOOKS_LEN_MAX: usize = 64;
/// What sessions heard that is remembered, and the digits of each.
const HEARD_MAX: usize = 64;
const HEARD_LEN: usize = 16;
/// A hook's name, and what a fault says.
const TEXT_BYTES_MAX: usize = 1_000;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HookLog {
    pub hooks: BTreeMap<String, HookCount>,
    pub faults: u64,
    pub not_recorded: u64,
    pub last_fault: Option<HookFault>,
    /// What sessions were told that is so until somebody mends it, the last at the end.
    pub heard: Vec<String>,
}

impl HookLog {
    /// What the agent's hooks have done in the project whose `.annals` this is; `None` where none
    /// ever fired here, or nothing can be read of it.
    pub fn read(annals_dir: &Path, agent: &str) -> Option<Self> {
        read(&path(annals_dir, agent))
    }

    /// Notes that a hook fired, and what went wrong in it. Best effort: two at the same moment may
    /// lose a count, and where nothing can be written nothing is.
    pub fn note(annals_dir: &Path, agent: &str, hook: &str, at_ms: u64, fault: Option<HookFault>) {
        update(annals_dir, agent, |log| log.take(hook, at_ms, fault));
    }

    /// Forgets what went wrong last in any agent's hooks: it may quote what is redacted.
    pub fn forget_faults(annals_dir: &Path) {
        let names = enclosure::names(&annals_dir.join(FOLDER)).unwrap_or_default(); // none fired here
        for (name, _) in names {
            if let Some(agent) = name.to_str().and_then(|it| it.strip_suffix(".json")) {
                update(annals_dir, agent, |log| log.last_fault = None);
            }
        }
    }

    /// As [`Self::note`], of a fault that every hook meets until somebody mends it. Whether the session has
    /// not heard it yet; `None` where nothing can be kept.
    pub fn note_standing(
        annals_dir: &Path,
        agent: &str,
        hook: &str,
        fault: HookFault,
        session: &str,
    ) -> Option<bool> {
        let heard = blake3::hash(format!("{session}\0{}", fault.what).as_bytes());
        let heard = heard.to_hex().as_str()[..HEARD_LEN].to_owned();
        let mut is_news = None;
        update(annals_dir, agent, |log| {
            log.take(hook, fault.at_ms, Some(fault));
            is_news = Some(!log.heard.contains(&heard));
            log.heard.retain(|it| *it != heard);
            let beyond = (log.heard.len() + 1).saturating_sub(HEARD_MAX);
            log.heard.drain(..beyond);
            log.heard.push(heard);
        });
        is_news
    }

    /// When a hook of the agent last fired, Unix milliseconds.
    pub fn last_ms(&self) -> Option<u64> {
        self.hooks.values().map(|count| count.last_ms).max()
    }

    fn take(&mut self, hook: &str, at_ms: u64, fault: Option<HookFault>) {
        let hook = cut(hook);
        if self.hooks.len() < HOOKS_LEN_MAX || self.hooks.contains_key(hook) {
            let count = self.hooks.entry(hook.to_owned()).or_default();
            count.fired = count.fired.saturating_add(1);
            count.last_ms = count.last_ms.max(at_ms);
        }
        if let Some(mut fault) = fault {
            self.faults = self.faults.saturating_add(1);
            self.not_recorded += u64::from(fault.not_recorded);
            fault.what.truncate(cut(&fault.what).len());
            self.last_fault = Some(fault);
        }
    }
}

/// The beginning of a text that is kept.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(TEXT_BYTES_MAX)]
}

/// What is longer is not ours.
const FOLDER: &str = "hooks";
const BYTES_MAX: u64 = 1 << 20;
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_micros(250);

fn path(annals_dir: &Path, agent: &str) -> PathBuf {
    annals_dir.join(FOLDER).join(format!("{agent}.json"))
}

fn read(path: &Path) -> Option<HookLog> {
    parse(&enclosure::open(path, OpenHow::Read).ok()?) // none, or none of ours
}

/// Changes the log under a lock that is not waited for long: what is lost is a count.
fn update(annals_dir: &Path, agent: &str, change: impl FnOnce(&mut HookLog)) {
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

fn parse(file: &File) -> Option<HookLog> {
    // What cannot be read, or is no log of ours, is begun anew.
    serde_json::from_slice(&enclosure::contents(file, BYTES_MAX).ok()?).ok()
}

/// What went wrong in a hook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HookFault {
    /// Unix milliseconds.
    pub at_ms: u64,
    pub hook: String,
    /// As its user was told.
    pub what: String,
    /// What it had to record is not on record.
    pub not_recorded: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HookCount {
    pub fired: u64,
    /// Unix milliseconds.
    pub last_ms: u64,
}
