//! What branches see, said as plainly as it can be: a fork takes over what its parent no longer sees,
//! a look goes up from parent to parent, and a search reads everything.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::Body;

/// Time, number, branch, kind, text, tags.
pub type Item = (u64, u64, String, String, String, Vec<String>);
/// Value, importance, when its time is over.
pub type Value = (String, u8, Option<u64>);

#[derive(Default)]
pub struct Model {
    pub parents: BTreeMap<String, Option<String>>,
    pub core: BTreeMap<(String, String), Option<Value>>,
    events: Vec<Item>,
    records: Vec<Item>,
    /// The events that a branch no longer sees, and their summaries.
    summed_up: BTreeMap<String, (BTreeSet<u64>, Vec<Item>)>,
}

impl Model {
    pub fn apply(&mut self, body: &Body, at: u64) {
        match body.clone() {
            Body::BranchForked(e) => {
                let taken_over = e.parent.as_ref().map(|parent| self.summed_up[parent].clone());
                self.summed_up.insert(e.branch.clone(), taken_over.unwrap_or_default());
                self.parents.insert(e.branch, e.parent);
            }
            Body::CoreSet(e) => {
                let over = e.ttl.and_then(|ttl| ttl.parse::<u64>().ok()).map(|s| at + s * 1_000);
                self.core.insert((e.branch, e.key), Some((e.value, e.importance, over)));
            }
            Body::CoreDeleted(e) => drop(self.core.insert((e.branch, e.key), None)),
            Body::CoreEvicted(e) => drop(self.core.insert((e.branch, e.key), None)),
            Body::ImportanceEvaluated(e) => {
                let value = self.core.get_mut(&(e.branch, e.items[0].key.clone())).unwrap();
                value.as_mut().unwrap().1 = e.items[0].score;
            }
            Body::RecallAppended(e) => {
                self.events.push((at, e.id, e.branch, e.kind, e.text, e.tags))
            }
            Body::RecallEvicted(e) => self.events.retain(|event| !e.ids.contains(&event.1)),
            Body::RecallConsolidated(e) => {
                self.events.retain(|event| !e.groups.iter().any(|g| g.ids.contains(&event.1)))
            }
            Body::InheritedConsolidated(e) => {
                let (unseen, summaries) = self.summed_up.get_mut(&e.branch).unwrap();
                for g in e.groups {
                    unseen.extend(g.ids);
                    let (branch, text) = (e.branch.clone(), g.summary);
                    summaries.push((at, g.summary_id, branch, g.kind, text, vec![]));
                }
            }
            Body::ArchivalWritten(e) => {
                self.records.push((at, e.id, e.branch, String::new(), e.text, e.tags))
            }
            Body::ArchivalUpdated(e) => {
                let record = self.records.iter_mut().find(|record| record.1 == e.id).unwrap();
                record.4 = e.text.unwrap_or(record.4.clone());
                record.5 = e.tags.unwrap_or(record.5.clone());
            }
            _ => {}
        }
    }

    pub fn chain(&self, branch: &str) -> Vec<String> {
        let above = self.parents[branch].as_ref().map(|parent| self.chain(parent));
        [vec![branch.to_owned()], above.unwrap_or_default()].concat()
    }

    pub fn core(&self, branch: &str, now: u64) -> BTreeMap<String, (String, u8)> {
        let above = self.parents[branch].as_ref().map(|parent| self.core(parent, now));
        let mut seen = above.unwrap_or_default();
        for ((_, key), value) in self.core.iter().filter(|((owner, _), _)| owner == branch) {
            seen.remove(key);
            let live = value.clone().filter(|(_, _, over)| over.is_none_or(|over| now < over));
            seen.extend(live.map(|(value, importance, _)| (key.clone(), (value, importance))));
        }
        seen
    }

    pub fn recall(&self, branch: &str) -> Vec<Item> {
        let (chain, unseen) = (self.chain(branch), &self.summed_up[branch].0);
        let seen = |event: &&Item| chain.contains(&event.2) && !unseen.contains(&event.1);
        newest_first(self.events.iter().filter(seen))
    }

    pub fn summaries(&self, branch: &str) -> Vec<Item> {
        newest_first(self.summed_up[branch].1.iter())
    }

    pub fn search(&self, chain: &[String], words: &[&str], tag: Option<&str>) -> Vec<Item> {
        let is_found = |record: &&Item| {
            let text = format!("{} {}", record.4, record.5.join(" ")).to_lowercase();
            let known: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
            let has = |w: &&str| if w.is_ascii() { known.contains(w) } else { text.contains(*w) };
            words.iter().all(has) && tag.is_none_or(|tag| record.5.iter().any(|t| t == tag))
        };
        newest_first(self.records.iter().filter(|r| chain.contains(&r.2)).filter(is_found))
    }
}

fn newest_first<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<Item> {
    let mut items: Vec<Item> = items.cloned().collect();
    items.sort_by_key(|item| std::cmp::Reverse((item.0, item.1)));
    items
}
