//! What a file gives, in an order in which it can be taken.

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::limits::{KEY_BYTES_MAX, KIND_BYTES_MAX};
use crate::memory::store::foreign::{ForeignCore, ForeignExclusion, ForeignMemory};
use crate::memory::store::{ArchivalRecord, Branch, MemoryView, RecallEvent, RecallSummary};
use crate::memory::{MemoryError, Result, names};

/// What an exclusion says that no summary explains.
const UNEXPLAINED: &str = "inherited events were left out, without a summary";

/// What a file gives: branches, each after its parent, then what is written on them.
pub(super) struct Given {
    pub items: Vec<Item>,
    pub branches: BTreeSet<String>,
}

pub(super) enum Item {
    /// `auto_created`: only other branches name it.
    Branch {
        branch: Branch,
        auto_created: bool,
    },
    Record(ArchivalRecord),
    Core(ForeignCore),
    Event(RecallEvent),
    Inherited(Inherited),
}

/// What a branch put together at one moment.
pub(super) struct Inherited {
    pub branch: String,
    pub at_ms: u64,
    pub groups: Vec<Group>,
}

/// Inherited events that became one text.
pub(super) struct Group {
    /// As the file numbers it.
    pub id: Option<u64>,
    pub kind: String,
    pub text: String,
    pub ids: Vec<u64>,
}

impl Given {
    pub fn read(file: &ForeignMemory) -> Result<Self> {
        let mut items = parents_first(file.branches()?)?;
        let branches: BTreeSet<String> = items.iter().filter_map(Item::name).collect();
        let stray = Stray { branches: &branches, missing: BTreeMap::new() };
        let (records, core, events) = (file.records()?, file.core()?, file.events()?);
        let inherited = put_together(file.summaries()?, file.exclusions()?);
        let stray = stray
            .and(records.iter().map(|row| (&row.branch, row.at_ms)))
            .and(core.iter().map(|row| (&row.branch, row.at_ms)))
            .and(events.iter().map(|row| (&row.branch, row.at_ms)))
            .and(inherited.iter().map(|row| (&row.branch, row.at_ms)));
        items.extend(stray.into_branches());
        let branches = items.iter().filter_map(Item::name).collect();
        let within = names::check_len;
        core.iter().try_for_each(|row| within("a core key", row.key.len(), KEY_BYTES_MAX))?;
        let kind = "a kind of event";
        events.iter().try_for_each(|row| within(kind, row.kind.len(), KIND_BYTES_MAX))?;
        items.extend(records.into_iter().map(Item::Record));
        items.extend(core.into_iter().map(Item::Core));
        items.extend(events.into_iter().map(Item::Event));
        items.extend(inherited.into_iter().map(Item::Inherited));
        let given = Self { items, branches };
        given.branches.iter().try_for_each(|name| names::check("branch", name))?;
        Ok(given)
    }

    /// Whether memory can take its branches: one that is here already must have the same parent.
    pub fn check(&self, view: &MemoryView<'_>) -> Result<()> {
        for item in &self.items {
            let Item::Branch { branch, auto_created: false } = item else { continue };
            if let Some(known) = view.branch(&branch.branch)?
                && known.parent != branch.parent
            {
                let (name, parent) = (known.branch, known.parent);
                let asked = branch.parent.clone();
                return Err(MemoryError::OtherParent { branch: name, parent, asked });
            }
        }
        Ok(())
    }
}

impl Item {
    fn name(&self) -> Option<String> {
        match self {
            Self::Branch { branch, .. } => Some(branch.branch.clone()),
            _ => None,
        }
    }
}

/// Each branch after its parent. A parent that is not in the file becomes a root.
fn parents_first(branches: Vec<Branch>) -> Result<Vec<Item>> {
    let names: BTreeSet<String> = branches.iter().map(|branch| branch.branch.clone()).collect();
    let mut waiting: BTreeMap<String, Vec<Branch>> = BTreeMap::new();
    let mut ready = Vec::new();
    let mut missing = BTreeMap::new();
    for branch in branches {
        match &branch.parent {
            Some(parent) if names.contains(parent) => {
                waiting.entry(parent.clone()).or_default().push(branch);
            }
            parent => {
                if let Some(parent) = parent {
                    missing.entry(parent.clone()).or_insert(branch.created_ms);
                }
                ready.push(branch);
            }
        }
    }
    let mut items: Vec<Item> = missing.into_iter().map(|(id, at_ms)| unnamed(id, at_ms)).collect();
    // The oldest first, as far as that is possible.
    ready.reverse();
    while let Some(branch) = ready.pop() {
        ready.extend(waiting.remove(&branch.branch).into_iter().flatten().rev());
        items.push(Item::Branch { branch, auto_created: false });
    }
    match waiting.into_values().flatten().next() {
        None => Ok(items),
        Some(branch) => Err(MemoryError::OwnAncestor { branch: branch.branch }),
    }
}

fn unnamed(branch: String, created_ms: u64) -> Item {
    let branch = Branch { branch, parent: None, node: None, created_ms };
    Item::Branch { branch, auto_created: true }
}

/// Branches that only rows name.
struct Stray<'b> {
    branches: &'b BTreeSet<String>,
    missing: BTreeMap<String, u64>,
}

impl Stray<'_> {
    fn and<'r>(mut self, rows: impl Iterator<Item = (&'r String, u64)>) -> Self {
        for (branch, at_ms) in rows.filter(|(branch, _)| !self.branches.contains(*branch)) {
            let first = self.missing.entry(branch.clone()).or_insert(at_ms);
            *first = at_ms.min(*first);
        }
        self
    }

    fn into_branches(self) -> impl Iterator<Item = Item> {
        self.missing.into_iter().map(|(id, at_ms)| unnamed(id, at_ms))
    }
}

/// Summaries with what they stand for, by branch and moment; what was left out without one gets one.
fn put_together(
    summaries: Vec<RecallSummary>,
    exclusions: Vec<ForeignExclusion>,
) -> Vec<Inherited> {
    let mut groups: BTreeMap<(u64, String), Vec<Group>> = BTreeMap::new();
    let mut unexplained: BTreeMap<(u64, String), Vec<u64>> = BTreeMap::new();
    let mut explained: BTreeSet<(String, u64)> = BTreeSet::new();
    for summary in summaries {
        let RecallSummary { id, branch, kind, text, events: ids, at_ms } = summary;
        explained.extend(ids.iter().map(|id| (branch.clone(), *id)));
        groups.entry((at_ms, branch)).or_default().push(Group { id: Some(id), kind, text, ids });
    }
    for ForeignExclusion { branch, event, at_ms } in exclusions {
        if !explained.contains(&(branch.clone(), event)) {
            unexplained.entry((at_ms, branch)).or_default().push(event);
        }
    }
    for (at, ids) in unexplained {
        let (kind, text) = ("event".to_owned(), format!("{} {UNEXPLAINED}", ids.len()));
        groups.entry(at).or_default().push(Group { id: None, kind, text, ids });
    }
    let inherited = |((at_ms, branch), groups)| Inherited { branch, at_ms, groups };
    groups.into_iter().map(inherited).collect()
}
