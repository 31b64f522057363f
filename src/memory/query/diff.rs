//! What two branches see differently, or one branch at two moments.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::recall::Visible;
use super::{
    ArchivalRecord, CoreValue, Newest, RecallEvent, RecallSummary, Result, chain, core, recall,
};
use crate::event::wire;
use crate::memory::store::{Listed, MemoryView};

/// Events, and records, that are compared at most: the newest.
pub const DIFF_ITEMS_MAX: usize = 10_000;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct MemorySide<'a> {
    pub view: MemoryView<'a>,
    pub branch: &'a str,
    /// When it is looked at: Unix milliseconds. Values whose time is over are not there.
    pub now_ms: u64,
}

/// What one side has and the other has not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference<T> {
    pub only_a: Vec<T>,
    pub only_b: Vec<T>,
    /// What both have, but not alike.
    pub different: Vec<Pair<T>>,
    pub same: u64,
}

/// What both sides have, but not alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair<T> {
    pub a: T,
    pub b: T,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MemoryDiff {
    pub a: String,
    pub b: String,
    /// By key. Alike is what has the same value, importance and time to live.
    pub core: Difference<CoreValue>,
    /// Newest first, like the others.
    pub recall: Difference<RecallEvent>,
    pub summaries: Difference<RecallSummary>,
    pub archival: Difference<ArchivalRecord>,
    /// Since when events, and records, are compared (Unix milliseconds), where a side has more than
    /// [`DIFF_ITEMS_MAX`] of them.
    #[serde(rename = "recall_since", serialize_with = "wire::utc_or_null")]
    pub recall_since_ms: Option<u64>,
    #[serde(rename = "archival_since", serialize_with = "wire::utc_or_null")]
    pub archival_since_ms: Option<u64>,
}

impl MemoryDiff {
    pub fn is_empty(&self) -> bool {
        self.core.is_empty()
            && self.recall.is_empty()
            && self.summaries.is_empty()
            && self.archival.is_empty()
    }
}

impl<T> Difference<T> {
    fn is_empty(&self) -> bool {
        self.only_a.is_empty() && self.only_b.is_empty() && self.different.is_empty()
    }
}

/// Compares what two branches see. A copy counts as what it was copied from.
pub fn diff(a: &MemorySide<'_>, b: &MemorySide<'_>) -> Result<MemoryDiff> {
    let (mut recall_a, mut recall_b) = (events(a)?, events(b)?);
    let recall_since_ms = since(&mut recall_a, &mut recall_b);
    let (mut archival_a, mut archival_b) = (records(a)?, records(b)?);
    let archival_since_ms = since(&mut archival_a, &mut archival_b);
    Ok(MemoryDiff {
        a: a.branch.to_owned(),
        b: b.branch.to_owned(),
        core: diff_core(a, b)?,
        recall: compare(recall_a, recall_b),
        summaries: compare(summaries(a)?, summaries(b)?),
        archival: compare(archival_a, archival_b),
        recall_since_ms,
        archival_since_ms,
    })
}

fn diff_core(a: &MemorySide<'_>, b: &MemorySide<'_>) -> Result<Difference<CoreValue>> {
    let mut found = Difference::default();
    let mut other = core(&b.view, b.branch, b.now_ms)?;
    for (key, ours) in core(&a.view, a.branch, a.now_ms)? {
        let alike = |x: &CoreValue| (x.value.clone(), x.importance, x.ttl.clone());
        match other.remove(&key) {
            None => found.only_a.push(ours),
            Some(theirs) if alike(&theirs) == alike(&ours) => found.same += 1,
            Some(theirs) => found.different.push(Pair { a: ours, b: theirs }),
        }
    }
    found.only_b = other.into_values().collect();
    Ok(found)
}

fn events(side: &MemorySide<'_>) -> Result<Vec<RecallEvent>> {
    let mut visible = Visible::of(&side.view, &chain(&side.view, side.branch)?)?;
    let mut events = Vec::new();
    while events.len() <= DIFF_ITEMS_MAX
        && let Some(event) = visible.take()?
    {
        events.push(event);
    }
    Ok(events)
}

fn summaries(side: &MemorySide<'_>) -> Result<Vec<RecallSummary>> {
    Ok(recall(&side.view, side.branch, DIFF_ITEMS_MAX)?.summaries)
}

fn records(side: &MemorySide<'_>) -> Result<Vec<ArchivalRecord>> {
    let chain = chain(&side.view, side.branch)?;
    let branches = chain.iter().map(|link| link.branch.as_str());
    let mut newest = Newest::of(side.view, Listed::Archival, branches, None)?;
    let mut records = Vec::new();
    while records.len() <= DIFF_ITEMS_MAX
        && let Some((place, _)) = newest.take()?
    {
        records.extend(side.view.record(place.id)?);
    }
    Ok(records)
}

/// Where a side has more than is compared, cuts both at the same moment.
fn since<T: Item>(a: &mut Vec<T>, b: &mut Vec<T>) -> Option<u64> {
    let cut =
        |items: &[T]| items.get(DIFF_ITEMS_MAX).map(|first_left_out| first_left_out.at_ms() + 1);
    let since_ms = cut(a).max(cut(b))?;
    for items in [a, b] {
        items.retain(|item| item.at_ms() >= since_ms);
    }
    Some(since_ms)
}

/// What has a number and a content of its own.
trait Item: Clone + PartialEq {
    /// What two items share that are one: whose it is, and its number.
    fn identity(&self) -> (String, u64);
    /// What a copy has in common with what it was copied from.
    fn content(&self) -> Content;
    fn at_ms(&self) -> u64;
}

/// When, of which kind, what, and with which tags.
type Content = (u64, String, String, Vec<String>);

macro_rules! items {
    ($($item:ty, $it:ident => $kind:expr, $tags:expr;)*) => {$(
        impl Item for $item {
            fn identity(&self) -> (String, u64) {
                (self.branch.clone(), self.id)
            }

            fn content(&self) -> Content {
                let $it = self;
                ($it.at_ms, $kind, $it.text.clone(), $tags)
            }

            fn at_ms(&self) -> u64 {
                self.at_ms
            }
        }
    )*};
}

items! {
    RecallEvent, it => it.kind.clone(), it.tags.clone();
    RecallSummary, it => it.kind.clone(), Vec::new();
    ArchivalRecord, it => String::new(), it.tags.clone();
}

fn compare<T: Item>(a: Vec<T>, b: Vec<T>) -> Difference<T> {
    let mut found = Difference::default();
    let mut by_identity: BTreeMap<_, T> =
        b.iter().map(|item| (item.identity(), item.clone())).collect();
    let mut alone = Vec::new();
    for ours in a {
        match by_identity.remove(&ours.identity()) {
            None => alone.push(ours),
            Some(theirs) if theirs == ours => found.same += 1,
            Some(theirs) => found.different.push(Pair { a: ours, b: theirs }),
        }
    }
    let mut copies: BTreeMap<_, Vec<(String, u64)>> = BTreeMap::new();
    for theirs in by_identity.values() {
        copies.entry(theirs.content()).or_default().push(theirs.identity());
    }
    for ours in alone {
        match copies.get_mut(&ours.content()).and_then(Vec::pop) {
            None => found.only_a.push(ours),
            Some(theirs) => {
                by_identity.remove(&theirs);
                found.same += 1;
            }
        }
    }
    let rest: BTreeSet<_> = by_identity.into_keys().collect();
    found.only_b = b.into_iter().filter(|item| rest.contains(&item.identity())).collect();
    found
}

impl<T> Default for Difference<T> {
    fn default() -> Self {
        Self { only_a: Vec::new(), only_b: Vec::new(), different: Vec::new(), same: 0 }
    }
}
