//! What a repair did, or would do.

use std::path::PathBuf;

use crate::store::{Quarantined, StoreName};

/// What a repair did, or would do.
#[derive(Debug, Default)]
pub struct RepairReport {
    /// Nothing was changed: this is what would be done.
    pub dry_run: bool,
    pub steps: Vec<RepairStep>,
    /// What was durable and is lost or changed: no repair brings it back.
    pub damage: Vec<String>,
    /// Stores that still lag, and why.
    pub lags: Vec<(&'static str, String)>,
    /// Files that a person edited, or that are another journal's: they were left as they are, and
    /// this says which and what to do.
    pub left: Vec<String>,
    /// What lies in the quarantine of the stores, and of the journal, afterwards.
    pub stores_aside: Quarantined,
    pub journal_aside: Quarantined,
    /// A store could not be replaced since somebody has it open.
    pub locked: bool,
}

/// One thing that a repair did, or would do.
#[derive(Debug)]
pub enum RepairStep {
    /// An append that was cut short, and that nobody was told of, was cut; the bytes are kept in
    /// `quarantine/`. Its words are a finding's.
    TailCut { finding: String },
    /// Calls whose owner is gone were recorded as interrupted.
    Interrupted { count: u64 },
    /// A store was caught up.
    CaughtUp { store: StoreName, events: u64 },
    /// Files of a repository's memory were written.
    Published { path: PathBuf, files: usize },
    /// A store was made anew; the old one, where it was kept, is `quarantined`.
    Rebuilt { store: StoreName, reason: String, quarantined: Option<PathBuf> },
    /// Replaced stores that were kept in the quarantine were dropped.
    Emptied { files: u64, bytes: u64 },
}

impl RepairReport {
    /// Whether nothing is wrong any more (or, for a dry run, at all).
    pub fn is_fine(&self) -> bool {
        let pending = self.dry_run && !self.steps.is_empty();
        self.damage.is_empty() && self.lags.is_empty() && self.left.is_empty() && !pending
    }
}
