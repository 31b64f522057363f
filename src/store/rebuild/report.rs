//! What a rebuild found and did.

use std::path::PathBuf;

use crate::store::Digest;
use crate::store::catch_up::CatchUpError;
use crate::stores::StoreName;

/// What a rebuild found and did, store by store.
#[derive(Debug, Default)]
pub struct RebuildReport {
    pub stores: Vec<StoreRebuild>,
    /// Why the graph, which is not ours alone, could not be: the others were.
    pub failed: Option<CatchUpError>,
}

/// What a rebuild found and did with one store.
#[derive(Debug)]
pub struct StoreRebuild {
    pub store: StoreName,
    /// Events read.
    pub events: u64,
    pub anomalies: u64,
    /// The old store's digest; `None` where it could not be read.
    pub before: Option<Digest>,
    /// What was wrong with the old store, if anything.
    pub problem: Option<String>,
    pub after: Digest,
    /// Whether old and new hold the same; `None` where they had not read equally far.
    pub same: Option<bool>,
    pub replaced: bool,
    /// Where the old store went, if it was kept.
    pub quarantined: Option<PathBuf>,
}

impl RebuildReport {
    /// Whether any store differed from its journal, or could not be read (exit code 1 of
    /// `--check`).
    pub fn differs(&self) -> bool {
        self.stores.iter().any(|store| store.same == Some(false) || store.problem.is_some())
    }
}
