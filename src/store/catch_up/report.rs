//! What catching up did, store by store.

use std::collections::BTreeSet;
use std::io;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{CatchUpError, RebuildReason};
use crate::event::Sequence;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;
use crate::store::dir::if_there;
use crate::store::{Anomaly, Concern, Operations, StoreError, StoreName};

#[derive(Debug)]
pub struct CatchUpReport {
    /// The last event that stores may have.
    pub through: Sequence,
    pub stores: Vec<StoreReport>,
    /// The last events of each concern; `None` where the index does not say.
    pub operations: Option<Operations>,
}

#[derive(Debug)]
pub struct StoreReport {
    pub store: StoreName,
    /// The error is why it lags.
    pub outcome: Result<CaughtUp, CatchUpError>,
}

#[derive(Debug, Default)]
pub struct CaughtUp {
    pub events: u64,
    pub anomalies: u64,
    /// Events that the journal lacks among those that were to be read.
    pub lost: u64,
    pub rebuilt: Option<RebuildReason>,
    pub quarantined: Option<PathBuf>,
    /// Nobody had made it before.
    pub(super) is_first: bool,
    /// Where the events are that only some stores are made of, by the index.
    pub(super) operations: Option<Operations>,
}

impl CaughtUp {
    pub fn replaced_for(&self) -> Option<RebuildReason> {
        let is_first = self.is_first && self.quarantined.is_none();
        self.rebuilt.filter(|reason| match reason {
            RebuildReason::Missing | RebuildReason::NoCursor => !is_first,
            // As often as the code is: nothing was wrong with it.
            RebuildReason::Reindexed => false,
            _ => true,
        })
    }
}

impl CatchUpReport {
    /// Whether every store has every event. Where the index has not, the others were not tried.
    pub fn is_current(&self) -> bool {
        self.stores.iter().all(|store| store.outcome.is_ok())
    }

    /// What became of the index, which is caught up first.
    pub fn into_index(self) -> Option<Result<CaughtUp, CatchUpError>> {
        self.stores.into_iter().next().map(|index| index.outcome)
    }

    /// The last event of a concern; `None` where there is none, or the index does not say.
    pub fn last(&self, concern: &Concern) -> Option<Sequence> {
        self.operations.as_ref()?.last(concern).map(Sequence)
    }

    /// Whether events of a concern are among those that the index read now.
    pub fn has_news_of(&self, concern: &Concern) -> bool {
        let index = self.stores.first().and_then(|index| index.outcome.as_ref().ok());
        let read = index.map_or(0, |it| it.events);
        self.last(concern).is_some_and(|last| last.0 > self.through.0.saturating_sub(read))
    }

    pub fn lag(&self) -> Option<(StoreName, &CatchUpError)> {
        self.stores
            .iter()
            .find_map(|store| store.outcome.as_ref().err().map(|error| (store.store, error)))
    }

    /// The first store that says something that the journal does not, and what is wrong with it.
    pub fn contradicts(&self) -> Option<(StoreName, RebuildReason)> {
        let evidence = |store: &StoreReport| {
            let reason = store.outcome.as_ref().err().and_then(CatchUpError::evidence)?;
            Some((store.store, reason))
        };
        self.stores.iter().find_map(evidence)
    }

    /// Whether events that a store was to be made of are lost: a look at the journal says which, and
    /// whether that is recorded.
    pub fn met_losses(&self) -> bool {
        let done = self.stores.iter().filter_map(|store| store.outcome.as_ref().ok());
        done.map(|done| done.lost).any(|lost| lost > 0)
    }
}

#[derive(Serialize)]
struct Line {
    sequence: u64,
    store: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    execution: Option<String>,
    message: String,
}

/// A log above this is not looked through for lines that are there already.
const LOOKED_THROUGH_BYTES_MAX: u64 = 16 << 20;

/// Appends a line for each that has none, in one write. Done before the commit, so that after a
/// crash none is missing; a rebuild meets the same ones again and adds nothing.
pub fn log_anomalies(errors: &Path, store: &str, anomalies: &[Anomaly]) -> Result<(), StoreError> {
    if anomalies.is_empty() {
        return Ok(());
    }
    let line = |anomaly: &'_ Anomaly| Line {
        sequence: anomaly.sequence.0,
        store: store.to_owned(),
        kind: anomaly.kind.as_str(),
        execution: anomaly.execution.map(|id| id.to_string()),
        message: anomaly.message.clone(),
    };
    append(errors, anomalies.iter().map(line))
}

/// Notes what befell a store as a whole: that it was built anew, or is kept as evidence. What cannot
/// be written is told all the same.
pub fn log_store(errors: &Path, store: StoreName, at: Sequence, kind: &'static str, why: &str) {
    let (store, message) = (store.to_string(), why.to_owned());
    let line = Line { sequence: at.0, store, kind, execution: None, message };
    drop(append(errors, std::iter::once(line)));
}

fn append(errors: &Path, lines: impl Iterator<Item = Line>) -> Result<(), StoreError> {
    let failed =
        |source| StoreError::Io { path: errors.to_owned(), doing: "writing the error log", source };
    let known = known(errors).map_err(failed)?;
    let mut text = Vec::new();
    for line in lines {
        // Numbers and strings always serialise; the index has the anomaly as well.
        if let Ok(line) = serde_json::to_string(&line)
            && !known.contains(blake3::hash(line.as_bytes()).as_bytes())
        {
            text.extend(line.as_bytes());
            text.push(b'\n');
        }
    }
    if text.is_empty() {
        return Ok(());
    }
    enclosure::append(errors).and_then(|mut file| file.write_all(&text)).map_err(failed)
}

fn known(path: &Path) -> io::Result<BTreeSet<[u8; 32]>> {
    let mut known = BTreeSet::new();
    let Some(file) = if_there(enclosure::open(path, OpenHow::Read))? else { return Ok(known) };
    if file.metadata()?.len() <= LOOKED_THROUGH_BYTES_MAX {
        for line in BufReader::new(file).split(b'\n') {
            known.insert(blake3::hash(&line?).into());
        }
    }
    Ok(known)
}
