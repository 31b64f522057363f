//! What an agent's hooks have done here: `.annals/hooks/{agent}.json`, small, unsynced, for people.
//!
//! A hook cannot print: what goes wrong in it is told to the agent's user once and would be gone.
//! Here the last fault stays until somebody asks `annals status`.

mod count;
mod fault;
mod file;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use count::HookCount;
pub use fault::HookFault;

/// Names of hooks that are kept, of each agent.
const HOOKS_LEN_MAX: usize = 64;
/// What sessions heard that is remembered, and the digits of each.
const HEARD_MAX: usize = 64;
const HEARD_LEN: usize = 16;
/// A hook's name, and what a fault says.
const TEXT_BYTES_MAX: usize = 1_000;

/// What an agent's hooks have done in one project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct HookLog {
    /// By the hook's own name.
    pub hooks: BTreeMap<String, HookCount>,
    /// How often a hook met a fault, all in all.
    pub faults: u64,
    /// How many hooks' events could not be recorded.
    pub not_recorded: u64,
    pub last_fault: Option<HookFault>,
    /// What sessions were told that is so until somebody mends it, the last at the end.
    pub heard: Vec<String>,
}

impl HookLog {
    /// What the agent's hooks have done in the project whose `.annals` this is; `None` where none
    /// ever fired here, or nothing can be read of it.
    pub fn read(annals_dir: &Path, agent: &str) -> Option<Self> {
        file::read(&file::path(annals_dir, agent))
    }

    /// Notes that a hook fired, and what went wrong in it. Best effort: two at the same moment may
    /// lose a count, and where nothing can be written nothing is.
    pub fn note(annals_dir: &Path, agent: &str, hook: &str, at_ms: u64, fault: Option<HookFault>) {
        file::update(annals_dir, agent, |log| log.take(hook, at_ms, fault));
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
        file::update(annals_dir, agent, |log| {
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
