//! What a repair did, or would do.

use std::path::{Path, PathBuf};

use crate::execution::query::{Identity, QueryError};
use crate::journal::{InTheWay, is_left};
use crate::store::catch_up::CatchUpError;
use crate::store::{Keep, Quarantined, StoreError};
use crate::store::{StoreName, StorePlaces};

#[derive(Debug, Default)]
pub struct RepairReport {
    pub dry_run: bool,
    pub steps: Vec<RepairStep>,
    /// What was durable and is lost or changed: no repair brings it back.
    pub damage: Vec<String>,
    pub lags: Vec<(&'static str, String)>,
    /// Files that a person edited, or that are another journal's: they were left as they are, and
    /// this says which and what to do.
    pub left: Vec<String>,
    /// Events that hold what was redacted before. As long as there is one nothing is published.
    pub withheld: u64,
    /// What lies where annals has a folder, and was not moved: it is another user's, or could not be.
    pub in_the_way: Vec<String>,
    /// What lies in the quarantine of the stores, and of the journal, afterwards.
    pub stores_aside: Quarantined,
    pub journal_aside: Quarantined,
    /// Why nothing can be done: the journal cannot be appended to, and no repair may throw away what is
    /// wrong with it. The stores were left as they are.
    pub blocked: Option<String>,
    /// The segment that a copy must take the place of first, where that is all that blocks it.
    pub barred: Option<PathBuf>,
    /// The graph cannot be read, and is not ours to replace.
    pub is_graph_damaged: bool,
    /// A store could not be replaced since somebody has it open.
    pub locked: bool,
}

#[derive(Debug)]
pub enum RepairStep {
    /// The journal's `LOCK` was made anew; what was in its place and is no file of ours is kept in the
    /// journal's `quarantine/`.
    LockMade {
        why: String,
    },
    /// An append that was cut short, and that nobody was told of, was cut; the bytes are kept in
    /// `quarantine/`. Its words are a finding's.
    TailCut {
        finding: String,
    },
    /// What was acknowledged and is gone was recorded: from then on it is told, and no new damage.
    LossRecorded {
        finding: String,
    },
    /// What an event orders to be redacted, and was not yet or not any more, was: so many payloads, and whatever
    /// else held them.
    Redacted {
        records: u64,
    },
    /// Calls whose owner is gone were recorded as interrupted.
    Interrupted {
        count: u64,
    },
    CaughtUp {
        store: StoreName,
        events: u64,
    },
    /// Files of a repository's memory were written.
    Published {
        path: PathBuf,
        files: usize,
    },
    /// A store was made anew; the old one, where it was kept, is `quarantined`.
    Rebuilt {
        store: StoreName,
        reason: String,
        keep: Keep,
        quarantined: Option<PathBuf>,
    },
    /// A store was taken away of which the journal makes none.
    SetAside {
        store: StoreName,
        reason: String,
        keep: Keep,
        quarantined: Option<PathBuf>,
    },
    /// What lay where annals has a folder was given a name beside.
    MovedAside {
        found: InTheWay,
        aside: Option<PathBuf>,
    },
    /// Replaced stores that were kept in the quarantine were dropped: those beyond its bound, or all.
    Emptied {
        files: u64,
        bytes: u64,
    },
}

impl RepairReport {
    /// Whether nothing is wrong any more (or, for a dry run, at all).
    pub fn is_fine(&self) -> bool {
        let pending = self.dry_run && !self.steps.is_empty();
        let is_whole = !self.is_damaged() && self.blocked.is_none();
        is_whole
            && self.lags.is_empty()
            && self.left.is_empty()
            && self.in_the_way.is_empty()
            && self.withheld == 0
            && !pending
    }

    /// Whether something that was durable is lost, and was not on record before.
    pub fn is_damaged(&self) -> bool {
        let is_lost = |step: &RepairStep| matches!(step, RepairStep::LossRecorded { .. });
        !self.damage.is_empty() || self.steps.iter().any(is_lost)
    }

    pub(super) fn lags(&mut self, store: &'static str, error: &CatchUpError) {
        self.locked |= error.is_locked();
        self.is_graph_damaged |=
            matches!(error, CatchUpError::Store(StoreError::GraphDamaged { .. }));
        self.lags.push((store, super::with_sources(error)));
    }
}

impl RepairStep {
    pub(super) fn store(&self) -> Option<StoreName> {
        match self {
            Self::CaughtUp { store, .. }
            | Self::Rebuilt { store, .. }
            | Self::SetAside { store, .. } => Some(*store),
            _ => None,
        }
    }
}

/// How many calls a repair would close: of processes and agents that are gone, and of sessions that
/// ended.
pub fn left_open(owners: &Path, places: &StorePlaces) -> Result<u64, QueryError> {
    let identity = Identity::open(places.index())?;
    let mut count = 0;
    for known in identity.open_executions(None)? {
        let ended = |session| -> Result<bool, QueryError> {
            Ok(identity.session(session)?.is_some_and(|session| session.ended))
        };
        count += u64::from(is_left(owners, known.id, known.source, known.session, ended)?);
    }
    Ok(count)
}
