//! Records by how much they say of what was asked (Okapi BM25), among those that a branch sees: what other branches
//! hold changes no rank.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::{ArchivalRecord, ArchivalSearch, Result, SEARCH_RECORDS_MAX};
use crate::memory::store::MemoryView;
use crate::memory::vectors::fused;
use crate::memory::words::{Asked, Counts, Entry, tag_keys};

/// How soon more of the same word says no more, and how much long records are held back.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// How many of the records that mean what is asked are ranked beside those that say it.
const NEAREST: usize = 50;

/// The records that have any word of a query, the best first; of equal ones the newest. Where the query has a vector,
/// with those whose vectors are near.
pub(super) fn ranked(
    view: &MemoryView<'_>,
    search: &ArchivalSearch<'_>,
    asked: &Asked,
    branches: &[String],
) -> Result<Vec<ArchivalRecord>> {
    let mut ranks = Ranks::of(asked, search.tags);
    view.each_words(branches, |entry| ranks.add(entry))?;
    let k = search.k.min(SEARCH_RECORDS_MAX);
    let nearest = view.nearest(search.query, branches, k.max(NEAREST))?;
    let meant: BTreeSet<u64> = nearest.iter().copied().collect();
    let best: Vec<u64> = ranks.best().map(|it| it.0).collect();
    let best = if nearest.is_empty() { best } else { fused(&[best, nearest]) };
    let mut found = Vec::new();
    for id in best {
        if found.len() == k {
            break;
        }
        let record = view.record(id)?.filter(|it| {
            let mut texts = std::iter::once(&it.text).chain(&it.tags);
            branches.contains(&it.branch)
                && search.tags.iter().all(|tag| it.tags.contains(tag))
                && (meant.contains(&id) || texts.any(|text| asked.is_any_in(text)))
        });
        found.extend(record);
    }
    Ok(found)
}

/// What records say of a query, each looked at once.
pub(in crate::memory) struct Ranks<'a> {
    asked: &'a Asked,
    tags: BTreeSet<u32>,
    counts: Counts,
    records: usize,
    words: usize,
    /// For each form in how many records it is.
    having: Vec<usize>,
    hits: Vec<Hit>,
    /// What the hits have: a form, and how often.
    found: Vec<(usize, f64)>,
}

struct Hit {
    id: u64,
    at_ms: u64,
    words: usize,
    /// Where what it has ends; it begins where that of the hit before ends.
    end: usize,
}

impl<'a> Ranks<'a> {
    pub fn of(asked: &'a Asked, tags: &[String]) -> Self {
        let having = vec![0; asked.forms()];
        let (tags, counts, hits, found) = (tag_keys(tags), Counts::default(), vec![], vec![]);
        Self { asked, tags, counts, records: 0, words: 0, having, hits, found }
    }

    pub fn add(&mut self, entry: &Entry<'_>) {
        let words = entry.words();
        self.records += 1;
        self.words += words;
        self.asked.count(entry, &mut self.counts);
        let begin = self.found.len();
        self.found.extend(self.counts.take());
        for (form, _) in &self.found[begin..] {
            self.having[*form] += 1;
        }
        if begin < self.found.len() && entry.has_tags(&self.tags) {
            let end = self.found.len();
            self.hits.push(Hit { id: entry.id, at_ms: entry.at_ms, words, end });
        } else {
            self.found.truncate(begin);
        }
    }

    /// Their numbers, each with its score, the best first.
    pub fn best(self) -> impl Iterator<Item = (u64, f64)> {
        let records = self.records as f64;
        let average = (self.words as f64 / records).max(1.0);
        let weights: Vec<f64> = self.having.iter().map(|it| rarity(records, *it as f64)).collect();
        let mut begin = 0;
        let mut ranked = Vec::with_capacity(self.hits.len());
        for hit in self.hits {
            let held_back = K1 * (1.0 - B + B * hit.words as f64 / average);
            let score = |(form, count): &(usize, f64)| {
                weights[*form] * count * (K1 + 1.0) / (count + held_back)
            };
            let score: f64 = self.found[begin..hit.end].iter().map(score).sum();
            begin = hit.end;
            ranked.push((score, hit.at_ms, hit.id));
        }
        ranked.sort_unstable_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| Reverse((a.1, a.2)).cmp(&Reverse((b.1, b.2))))
        });
        ranked.into_iter().map(|it| (it.2, it.0))
    }
}

/// What a word tells that so many of the records have; more than nothing, whatever it is.
fn rarity(records: f64, having: f64) -> f64 {
    (1.0 + (records - having + 0.5) / (having + 0.5)).ln()
}
