//! Values by what they say: the words and the ranks of a search in the archive.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use super::filter::Filter;
use super::kv::KvEntry;
use super::store::StateView;
use crate::event::Ordered;
use crate::memory::query::Ranks;
use crate::memory::words::{Asked, Said};
use crate::store::Result;

#[derive(Clone, Debug, Default)]
pub struct KvSearch<'a> {
    pub branch: &'a str,
    /// The namespace in and below which it is looked for.
    pub below: &'a [String],
    /// Any of its words; none: every value, the newest first.
    pub query: &'a str,
    pub filter: Filter,
    pub skip: usize,
    pub most: usize,
}

impl StateView<'_> {
    /// The values that say most of the words, of those that the filter takes; of equal ones the newest first.
    pub fn search(&self, search: &KvSearch<'_>, now_ms: u64) -> Result<Vec<KvEntry>> {
        let mut entries = self.entries(search.branch, search.below, now_ms)?;
        if !search.filter.is_empty() {
            entries.retain(|entry| search.filter.takes(&value(entry)));
        }
        let asked = Asked::of(search.query);
        let found: Vec<KvEntry> = if asked.is_empty() {
            entries.order_by_key(|entry| Reverse(entry.sequence));
            entries
        } else {
            let mut ranks = Ranks::of(&asked, &[]);
            let mut by_number: BTreeMap<u64, KvEntry> = BTreeMap::new();
            for entry in entries {
                let text = text(&entry);
                let none: [&str; 0] = [];
                ranks.add(&Said::of(&text, &none).entry(entry.sequence, entry.updated_ms));
                // Keys of words may be two words'.
                if asked.is_any_in(&text) {
                    by_number.insert(entry.sequence, entry);
                }
            }
            let scored = |(number, score)| {
                let entry = by_number.remove(&number)?;
                Some(KvEntry { score: Some(score), ..entry })
            };
            ranks.best().filter_map(scored).collect()
        };
        Ok(found.into_iter().skip(search.skip).take(search.most).collect())
    }
}

fn value(entry: &KvEntry) -> Value {
    // What another program could not read (a lone surrogate) is found by its key alone.
    entry.value.as_ref().and_then(|it| serde_json::from_str(&it.0).ok()).unwrap_or_default()
}

/// All that it is found by: its key, and of its value the names and what is no structure.
fn text(entry: &KvEntry) -> String {
    let mut text = entry.key.clone();
    add(&value(entry), &mut text);
    text
}

fn add(value: &Value, to: &mut String) {
    match value {
        Value::Null => {}
        Value::Bool(is) => line(if *is { "true" } else { "false" }, to),
        Value::Number(number) => line(&number.to_string(), to),
        Value::String(text) => line(text, to),
        Value::Array(all) => all.iter().for_each(|it| add(it, to)),
        Value::Object(all) => all.iter().for_each(|(name, it)| {
            line(name, to);
            add(it, to);
        }),
    }
}

fn line(text: &str, to: &mut String) {
    to.push('\n');
    to.push_str(text);
}
