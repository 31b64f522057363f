//! What a branch of memory sees: its own and what its ancestors hold (spec 003, ruling 11).
//!
//! Everything here is read through a [`MemoryView`]: a reader's connection, or a writer's with what it
//! has not committed yet, so that what decides an operation and what answers a question is the same
//! code. Reads go along an index, in bounded steps, newest first.

mod branches;
mod core;
mod diff;
mod history;
mod node_read;
mod pressure;
mod recall;
mod render;
mod search;

use std::collections::BinaryHeap;

use crate::execution::query::QueryError;
use crate::memory::store::{Listed, Place};
use crate::parse::seconds::milliseconds;

pub use crate::memory::store::{ArchivalRecord, MemoryView, RecallEvent, RecallSummary};
pub use branches::{BranchSummary, branch_of, branches, chain};
pub use core::{CoreGone, CoreValue, GoneKey, IMPORTANCE, core, core_gone, own_core};
pub use diff::{Difference, MemoryDiff, MemorySide, diff};
pub use history::{MemoryChange, MemoryLog, MemoryOp, WhyValue};
pub use node_read::{NodeMemory, NodeScope, node_read};
pub use pressure::{Pressure, pressure};
pub use recall::{Recall, own_events, recall, recall_counts, recall_search};
pub use render::{Render, Rendered, render};
pub(super) use search::Ranks;
pub use search::{ArchivalSearch, Matching, search};

type Result<T, E = QueryError> = std::result::Result<T, E>;

/// Rows of a branch that are read at once, at most.
const STEP_MAX: u64 = 256;

/// The rows of the branches of a chain, newest first. A branch is read in steps that grow, so that
/// neither a hundred branches of which few rows are taken nor one that has all of them costs much.
struct Newest<'v> {
    view: MemoryView<'v>,
    listed: Listed,
    branches: Vec<Unread>,
    /// The newest row of each branch that is not taken, with the branch's position in the chain.
    heads: BinaryHeap<(Place, usize)>,
}

/// What of a branch was not taken yet.
struct Unread {
    branch: String,
    /// Read ahead; the newest last.
    ahead: Vec<Place>,
    /// Rows that the next step reads; 0 where there are no more.
    step: u64,
}

impl<'v> Newest<'v> {
    /// The rows of these branches, those before `before`.
    fn of<'b>(
        view: MemoryView<'v>,
        listed: Listed,
        branches: impl IntoIterator<Item = &'b str>,
        before: Option<Place>,
    ) -> Result<Self> {
        let branches = branches.into_iter();
        let unread = branches.map(Unread::new).collect();
        let mut newest = Self { view, listed, branches: unread, heads: BinaryHeap::new() };
        for position in 0..newest.branches.len() {
            newest.refill(position, before)?;
        }
        Ok(newest)
    }

    /// The newest row that was not taken, and the position of its branch.
    fn take(&mut self) -> Result<Option<(Place, usize)>> {
        let Some((place, position)) = self.heads.pop() else { return Ok(None) };
        self.refill(position, Some(place))?;
        Ok(Some((place, position)))
    }

    fn refill(&mut self, position: usize, before: Option<Place>) -> Result<()> {
        let unread = &mut self.branches[position];
        if unread.ahead.is_empty() && unread.step > 0 {
            unread.ahead = self.view.newest(self.listed, &unread.branch, before, unread.step)?;
            let is_all = (unread.ahead.len() as u64) < unread.step;
            unread.step = if is_all { 0 } else { (unread.step * 4).min(STEP_MAX) };
            unread.ahead.reverse();
        }
        self.heads.extend(unread.ahead.pop().map(|place| (place, position)));
        Ok(())
    }
}

impl Unread {
    fn new(branch: &str) -> Self {
        Self { branch: branch.to_owned(), ahead: Vec::new(), step: 1 }
    }
}

/// Whether a value that was written at `updated_ms` is no longer valid at `now_ms`: from the
/// millisecond on in which its time is over.
fn is_over(ttl: Option<&str>, updated_ms: u64, now_ms: u64) -> bool {
    match ttl.and_then(milliseconds) {
        Some(ttl_ms) => now_ms >= updated_ms.saturating_add(ttl_ms),
        None => false,
    }
}

#[cfg(test)]
mod tests;
