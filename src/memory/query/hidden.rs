//! Inherited events that a branch no longer sees.

use std::collections::BTreeMap;

use super::ChainLink;
use crate::execution::query::QueryError;
use crate::memory::store::MemoryView;

/// What the branches of a chain excluded of what they inherit, as far as it holds for the branch that
/// the chain begins with.
pub(super) struct Hidden {
    /// The event, and the position of the nearest branch that excluded it.
    nearest: BTreeMap<u64, usize>,
}

impl Hidden {
    /// A branch's own exclusions hold for it; an ancestor's where the branch below it on the chain
    /// was forked after them.
    pub(super) fn of(view: &MemoryView<'_>, chain: &[ChainLink]) -> Result<Self, QueryError> {
        let mut nearest = BTreeMap::new();
        for (position, link) in chain.iter().enumerate() {
            for (event, at) in view.exclusions(&link.branch)? {
                if is_inherited(chain, position, at) {
                    nearest.entry(event).or_insert(position);
                }
            }
        }
        Ok(Self { nearest })
    }

    /// Whether an event of the branch at `owner` is excluded by a branch below that.
    pub(super) fn hides(&self, event: u64, owner: usize) -> bool {
        self.nearest.get(&event).is_some_and(|position| *position < owner)
    }

    /// Every exclusion that holds, with the position of the branch it is of.
    pub(super) fn all(&self) -> impl Iterator<Item = (u64, usize)> {
        self.nearest.iter().map(|(event, position)| (*event, *position))
    }
}

/// Whether what the branch at `position` noted at `at` holds for the branch that the chain begins with.
pub(super) fn is_inherited(chain: &[ChainLink], position: usize, at: f64) -> bool {
    match position.checked_sub(1).and_then(|below| chain.get(below)) {
        Some(below) => below.created_at >= at,
        None => true,
    }
}
