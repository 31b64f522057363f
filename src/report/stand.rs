//! The stores as of each step, bounded however many steps there are.

use std::collections::BTreeMap;

use serde::Serialize;

use super::limits::{CORE_CHANGES_MAX, CORE_CHARS_MAX, CORE_KEYS_MAX, REPORT_STEPS_MAX};
use super::text::line;
use crate::event::{Body, wire};
use crate::execution::tally::TallyCounts;

/// What a slider goes through.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stands {
    /// How many steps there are; where they are more than are shown, each that is shown stands for several.
    pub steps: u64,
    /// Before the first.
    pub before: TallyCounts,
    pub before_memory: MemoryCounts,
    /// Core values before the first, by branch and key.
    pub before_core: Vec<CoreChange>,
    pub shown: Vec<Stand>,
    /// Core values, or changes of them, that are not shown.
    pub core_left_out: u64,
}

/// The stores after a step.
#[derive(Clone, Debug, Serialize)]
pub struct Stand {
    /// Its number among all steps, from 1.
    pub step: u64,
    pub sequence: u64,
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    /// In a few words.
    pub told: String,
    pub stores: TallyCounts,
    pub memory: MemoryCounts,
    /// Core values that changed since the one before.
    pub core: Vec<CoreChange>,
}

/// What branches of memory hold themselves, times to live aside: those are judged when one reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryCounts {
    pub branches: u64,
    pub core: u64,
    pub recall: u64,
    pub archival: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CoreChange {
    pub branch: String,
    pub key: String,
    /// `null`: it is gone.
    pub value: Option<String>,
}

/// Follows memory and gathers stands.
#[derive(Debug, Default)]
pub struct Standing {
    memory: MemoryCounts,
    core: BTreeMap<(String, String), String>,
    changed: Vec<CoreChange>,
    stands: Stands,
    changes: usize,
    /// Each that is shown stands for so many steps.
    stride: u64,
}

impl Standing {
    /// Takes an event, inside of the span or before it.
    pub fn take(&mut self, body: &Body, is_inside: bool) {
        let memory = &mut self.memory;
        match body {
            Body::BranchForked(_) => memory.branches += 1,
            Body::CoreSet(it) => self.set(&it.branch, &it.key, Some(&it.value), is_inside),
            Body::CoreDeleted(it) => self.set(&it.branch, &it.key, None, is_inside),
            Body::CoreEvicted(it) => self.set(&it.branch, &it.key, None, is_inside),
            Body::RecallAppended(_) => memory.recall += 1,
            Body::RecallEvicted(it) => forget(&mut memory.recall, it.ids.len()),
            Body::RecallConsolidated(it) => {
                forget(&mut memory.recall, it.groups.iter().map(|group| group.ids.len()).sum());
            }
            Body::ArchivalWritten(_) => memory.archival += 1,
            _ => {}
        }
    }

    fn set(&mut self, branch: &str, key: &str, value: Option<&str>, is_inside: bool) {
        let value = value.map(|it| line(it, CORE_CHARS_MAX));
        let name = (branch.to_owned(), key.to_owned());
        match &value {
            Some(value) => drop(self.core.insert(name, value.clone())),
            None => drop(self.core.remove(&name)),
        }
        self.memory.core = self.core.len() as u64;
        if is_inside {
            let (branch, key) = (branch.to_owned(), key.to_owned());
            self.changed.push(CoreChange { branch, key, value });
        }
    }

    /// The span begins here.
    pub fn begin(&mut self, stores: TallyCounts) {
        let core = self.core.iter().map(|((branch, key), value)| CoreChange {
            branch: branch.clone(),
            key: key.clone(),
            value: Some(value.clone()),
        });
        self.stands.before_core = core.take(CORE_KEYS_MAX).collect();
        let left_out = self.core.len().saturating_sub(CORE_KEYS_MAX) as u64;
        self.stands.core_left_out += left_out;
        (self.stands.before, self.stands.before_memory) = (stores, self.memory);
        self.stride = 1;
    }

    /// A step of the span is done.
    pub fn step(&mut self, sequence: u64, at_ms: u64, told: String, stores: TallyCounts) {
        self.stands.steps += 1;
        let mut core = std::mem::take(&mut self.changed);
        let room = CORE_CHANGES_MAX.saturating_sub(self.changes);
        self.stands.core_left_out += core.len().saturating_sub(room) as u64;
        core.truncate(room);
        self.changes += core.len();
        let (step, memory) = (self.stands.steps, self.memory);
        let stand = Stand { step, sequence, at_ms, told, stores, memory, core };
        let shown = &mut self.stands.shown;
        match shown.last_mut() {
            // Not a place of its own: the one before it ends here now.
            Some(last) if (step - 1) % self.stride != 0 => {
                let before = std::mem::take(&mut last.core);
                *last = stand;
                last.core.splice(0..0, before);
            }
            _ => shown.push(stand),
        }
        if shown.len() > REPORT_STEPS_MAX {
            self.stride *= 2;
            let all = std::mem::take(shown);
            for (at, mut stand) in all.into_iter().enumerate() {
                match shown.last_mut() {
                    Some(last) if at % 2 == 1 => {
                        let before = std::mem::take(&mut last.core);
                        stand.core.splice(0..0, before);
                        *last = stand;
                    }
                    _ => shown.push(stand),
                }
            }
        }
    }

    pub fn end(self) -> Stands {
        self.stands
    }
}

fn forget(count: &mut u64, gone: usize) {
    *count = count.saturating_sub(gone as u64);
}
