//! The rows of several branches as one list, newest first, read as far as they are taken.

use std::collections::BinaryHeap;

use crate::execution::query::QueryError;
use crate::memory::store::{Listed, MemoryView, Place};

/// Rows of a branch that are read at once, at most.
const STEP_MAX: u64 = 256;

/// The rows of the branches of a chain, newest first. A branch is read in steps that grow, so that
/// neither a hundred branches of which few rows are taken nor one that has all of them costs much.
pub(super) struct Newest<'v> {
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
    pub(super) fn of<'b>(
        view: MemoryView<'v>,
        listed: Listed,
        branches: impl IntoIterator<Item = &'b str>,
        before: Option<Place>,
    ) -> Result<Self, QueryError> {
        let branches = branches.into_iter();
        let unread = branches.map(Unread::new).collect();
        let mut newest = Self { view, listed, branches: unread, heads: BinaryHeap::new() };
        for position in 0..newest.branches.len() {
            newest.refill(position, before)?;
        }
        Ok(newest)
    }

    /// The newest row that was not taken, and the position of its branch.
    pub(super) fn take(&mut self) -> Result<Option<(Place, usize)>, QueryError> {
        let Some((place, position)) = self.heads.pop() else { return Ok(None) };
        self.refill(position, Some(place))?;
        Ok(Some((place, position)))
    }

    fn refill(&mut self, position: usize, before: Option<Place>) -> Result<(), QueryError> {
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
