//! Recall memory: what happened, newest first; what happened is looked for wider than what was put away.

use std::collections::BTreeMap;

use serde::Serialize;

use super::search::Terms;
use super::{Newest, Result, chain};
use crate::event::Ordered;
use crate::memory::store::{Branch, Listed, MemoryView, RecallEvent, RecallSummary};

/// What a branch sees of recall memory, each newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Recall {
    #[serde(rename = "recall")]
    pub events: Vec<RecallEvent>,
    pub summaries: Vec<RecallSummary>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecallCounts {
    pub visible: u64,
    pub inherited: u64,
    pub own: u64,
}

/// The newest events that a branch sees, and its newest summaries, at most `limit` of each.
pub fn recall(view: &MemoryView<'_>, branch: &str, limit: usize) -> Result<Recall> {
    let chain = chain(view, branch)?;
    Ok(Recall {
        events: Visible::of(view, &chain)?.events(limit)?,
        summaries: summaries(view, &chain, limit)?,
    })
}

/// How many events a branch sees, and whose they are.
pub fn recall_counts(view: &MemoryView<'_>, branch: &str) -> Result<RecallCounts> {
    let chain = chain(view, branch)?;
    let mut counts = RecallCounts::default();
    for (position, link) in chain.iter().enumerate() {
        let count = view.count(Listed::Events, &link.branch)?;
        *(if position == 0 { &mut counts.own } else { &mut counts.inherited }) += count;
    }
    let hidden = Hidden::of(view, &chain)?;
    for (event, position) in hidden.all() {
        if let Some(owner) = view.owner_of_event(event)? {
            let above = chain.iter().skip(position + 1).any(|link| link.branch == owner);
            counts.inherited -= u64::from(above);
        }
    }
    counts.visible = counts.own + counts.inherited;
    Ok(counts)
}

/// The newest events of a branch's own, at most `limit`.
pub fn own_events(view: &MemoryView<'_>, branch: &str, limit: usize) -> Result<Vec<RecallEvent>> {
    let own = Branch { branch: branch.to_owned(), ..Branch::default() };
    Visible::of(view, &[own])?.events(limit)
}

/// The newest summaries that the first branch of a chain sees: its own, and those of an ancestor
/// that were there when it was forked.
fn summaries(view: &MemoryView<'_>, chain: &[Branch], limit: usize) -> Result<Vec<RecallSummary>> {
    let mut found = Vec::new();
    for (position, link) in chain.iter().enumerate() {
        let rows = view.summaries(&link.branch)?.into_iter();
        found.extend(rows.filter(|row| is_inherited(chain, position, row.at_ms)));
    }
    found.order_by_key(|row: &RecallSummary| std::cmp::Reverse((row.at_ms, row.id)));
    found.truncate(limit);
    Ok(found)
}

/// The newest events that a branch sees and that have one of the words of a query, in their kind,
/// text or tags, at most `k`. A query without a word finds every event.
pub fn recall_search(
    view: &MemoryView<'_>,
    branch: &str,
    query: &str,
    k: usize,
) -> Result<Vec<RecallEvent>> {
    let terms = Terms::of(query);
    let mut visible = Visible::of(view, &chain(view, branch)?)?;
    let mut found = Vec::new();
    while found.len() < k
        && let Some(event) = visible.take()?
    {
        let texts = [&event.kind, &event.text].into_iter().chain(&event.tags);
        if terms.is_any_in(texts.map(String::as_str)) {
            found.push(event);
        }
    }
    Ok(found)
}

/// The events that a branch sees, newest first.
pub(super) struct Visible<'v> {
    view: MemoryView<'v>,
    newest: Newest<'v>,
    hidden: Hidden,
}

impl<'v> Visible<'v> {
    /// What the first branch of a chain sees.
    pub(super) fn of(view: &MemoryView<'v>, chain: &[Branch]) -> Result<Self> {
        let branches = chain.iter().map(|link| link.branch.as_str());
        let newest = Newest::of(*view, Listed::Events, branches, None)?;
        Ok(Self { view: *view, newest, hidden: Hidden::of(view, chain)? })
    }

    pub(super) fn take(&mut self) -> Result<Option<RecallEvent>> {
        while let Some((place, position)) = self.newest.take()? {
            if !self.hidden.hides(place.id, position)
                && let Some(event) = self.view.event(place.id)?
            {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    fn events(mut self, limit: usize) -> Result<Vec<RecallEvent>> {
        let mut events = Vec::new();
        while events.len() < limit
            && let Some(event) = self.take()?
        {
            events.push(event);
        }
        Ok(events)
    }
}

/// What the branches of a chain excluded of what they inherit, as far as it holds for the branch that
/// the chain begins with.
pub(super) struct Hidden {
    /// The event, and the position of the nearest branch that excluded it.
    nearest: BTreeMap<u64, usize>,
}

impl Hidden {
    /// A branch's own exclusions hold for it; an ancestor's where the branch below it on the chain
    /// was forked after them.
    pub(super) fn of(view: &MemoryView<'_>, chain: &[Branch]) -> Result<Self> {
        let mut nearest = BTreeMap::new();
        for (position, link) in chain.iter().enumerate() {
            for (event, at_ms) in view.exclusions(&link.branch)? {
                if is_inherited(chain, position, at_ms) {
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

/// Whether what the branch at `position` noted at `at_ms` holds for the branch that the chain begins with.
pub(super) fn is_inherited(chain: &[Branch], position: usize, at_ms: u64) -> bool {
    match position.checked_sub(1).and_then(|below| chain.get(below)) {
        Some(below) => below.created_ms >= at_ms,
        None => true,
    }
}
