//! How the journals stand that were sent to a folder or bucket.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::error::{FleetError, Result};
use super::state::{BYTES_MAX, FORKS, SEGMENTS, STATES, Shipped};
use crate::journal::archive::Target;

/// A journal that was sent.
#[derive(Clone, Debug)]
pub struct Standing {
    pub state: Shipped,
    /// It is of another history than the one that was sent first.
    pub is_fork: bool,
    /// When its state was written, by the clock of whoever keeps it, Unix milliseconds.
    pub kept_ms: Option<u64>,
}

impl Standing {
    /// By how much the machine's clock is ahead of the one of whoever keeps the state, milliseconds.
    pub fn ahead_ms(&self) -> Option<i64> {
        let kept = i64::try_from(self.kept_ms?).ok()?; // not in our time
        Some(i64::try_from(self.state.at_ms).unwrap_or(i64::MAX).saturating_sub(kept))
    }
}

/// What has a state's name, and is none.
#[derive(Debug)]
pub struct Unread {
    pub path: PathBuf,
    pub error: FleetError,
}

/// Every journal that was sent there, by machine and id; and what could not be read.
///
/// # Errors
/// Where the folder or bucket cannot be listed.
pub fn status(from: &Path) -> Result<(Vec<Standing>, Vec<Unread>)> {
    let target = Target::of(from, None)?;
    let (mut all, mut unread) = (Vec::new(), Vec::new());
    for (folder, is_fork) in [(STATES, false), (FORKS, true)] {
        for name in target.names(folder)?.iter().filter(|it| is_state(it)) {
            let name = format!("{folder}/{name}");
            let path = target.path(&name);
            let read = target.read(&name, BYTES_MAX).map_err(FleetError::from).and_then(|kept| {
                // It was listed, and went since.
                let Some(kept) = kept else { return Ok(None) };
                Ok(Some((Shipped::parse(&kept.bytes, &path)?, kept.modified_ms)))
            });
            match read {
                Ok(read) => {
                    all.extend(read.map(|(state, kept_ms)| Standing { state, is_fork, kept_ms }))
                }
                Err(error) => unread.push(Unread { path, error }),
            }
        }
    }
    let told: HashSet<_> = all.iter().map(|it| it.state.journal.clone()).collect();
    for journal in target.names(SEGMENTS)?.iter().filter(|it| !it.starts_with('.')) {
        if !told.contains(journal) {
            let path = target.path(&format!("{SEGMENTS}/{journal}"));
            let what = "its segments lie there, and no state of it that can be read".to_owned();
            unread.push(Unread { path: path.clone(), error: FleetError::State { path, what } });
        }
    }
    all.sort_by(|one, other| {
        let key = |it: &Standing| (it.state.machine.clone(), it.state.journal.clone(), it.is_fork);
        key(one).cmp(&key(other))
    });
    Ok((all, unread))
}

/// Names that begin with `.` are under construction.
fn is_state(name: &str) -> bool {
    name.ends_with(".json") && !name.starts_with('.')
}
