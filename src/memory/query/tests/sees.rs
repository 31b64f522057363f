//! Isolation and inheritance, over random histories: every branch at every prefix.

use proptest::prelude::*;

use super::history::{Drawn, History, drawn};
use super::kept::Kept;
use super::model::{Item, Model};
use crate::memory::query::search::{Ways, search_by};
use crate::memory::query::{
    ArchivalSearch, CoreValue, Matching, RecallEvent, chain, core, own_core, own_events, recall,
    recall_counts, search,
};
use crate::memory::store::MemoryView;

const WINDOW: usize = 4;
/// A query, the words that it means, and a tag.
const SEARCHES: [(&str, &[&str], Option<&str>); 14] = [
    ("", &[], None),
    ("?!", &[], None),
    ("compiler", &["compiler"], None),
    ("COMPILER the", &["compiler", "the"], None),
    ("compile", &["compile"], None),
    ("größe", &["größe"], None),
    ("GRÖSSE größe compiler", &["grösse", "größe", "compiler"], None),
    ("テキスト", &["テキスト"], None),
    ("na ve", &["na", "ve"], None),
    ("Kelvin", &["kelvin"], None),
    ("12", &["12"], Some("ERROR")),
    ("", &[], Some("node:7")),
    ("quote", &["quote"], Some("quote\"d\\tag")),
    ("compiler", &["compiler"], Some("line\ncompiler")),
];
const ALL_WAYS: [Ways; 4] = [
    Ways { look_step: 1, look_max: 0, rare_max: 0, postings_a_row: usize::MAX },
    Ways { look_step: 1, look_max: 0, rare_max: 1_000, postings_a_row: 16 },
    Ways { look_step: 2, look_max: 4, rare_max: 1, postings_a_row: 1 },
    Ways { look_step: 1, look_max: 0, rare_max: 2, postings_a_row: 1_000 },
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn every_branch_sees_at_every_prefix_what_the_model_says(drawn in drawn()) {
        hold(drawn);
    }
}

fn hold(drawn: Vec<Drawn>) {
    let (mut history, mut kept) = (History::new(), Kept::new());
    let mut step = 0;
    for one in drawn {
        let Some((body, at_ms)) = history.next(one) else { continue };
        kept.apply(body, at_ms);
        for branch in history.model.parents.keys() {
            sees(&kept.view(), &history.model, branch, history.now_ms);
            finds(&kept.view(), &history.model, branch, step);
            step += 1;
        }
    }
}

fn sees(view: &MemoryView<'_>, model: &Model, branch: &str, now_ms: u64) {
    let links: Vec<String> =
        chain(view, branch).unwrap().into_iter().map(|link| link.branch).collect();
    assert_eq!(links, model.chain(branch));
    for now_ms in [now_ms, now_ms + 1_500] {
        let seen = core(view, branch, now_ms).unwrap();
        let of = |value: CoreValue| (value.key, (value.value, value.importance));
        let plain = seen.clone().into_values().map(of).collect();
        assert_eq!(model.core(branch, now_ms), plain);
        let own = own_core(view, branch, now_ms).unwrap();
        let own_seen = seen.into_iter().filter(|(_, value)| value.branch == branch).collect();
        assert_eq!(own, own_seen);
    }
    let expected = model.recall(branch);
    let seen = recall(view, branch, usize::MAX).unwrap();
    assert_eq!(seen.events.iter().map(item).collect::<Vec<_>>(), expected);
    let window = recall(view, branch, WINDOW).unwrap().events;
    assert_eq!(window[..], seen.events[..WINDOW.min(seen.events.len())]);
    let summaries = model.summaries(branch);
    let ids = |items: &[Item]| items.iter().map(|item| item.1).collect::<Vec<_>>();
    assert_eq!(seen.summaries.iter().map(|s| s.id).collect::<Vec<_>>(), ids(&summaries));
    let (own, inherited): (Vec<Item>, Vec<Item>) =
        expected.into_iter().partition(|event| event.2 == branch);
    let counts = recall_counts(view, branch).unwrap();
    let expected = (own.len() as u64, inherited.len() as u64);
    assert_eq!((counts.own, counts.inherited), expected);
    assert_eq!(counts.visible, counts.own + counts.inherited);
    let found = |events: Vec<RecallEvent>| events.iter().map(item).collect::<Vec<_>>();
    assert_eq!(found(own_events(view, branch, 1_000).unwrap()), own);
    assert_eq!(found(super::kept::inherited_events(view, branch, 1_000).unwrap()), inherited);
}

fn item(event: &RecallEvent) -> Item {
    let (branch, kind) = (event.branch.clone(), event.kind.clone());
    (event.at_ms, event.id, branch, kind, event.text.clone(), event.tags.clone())
}

/// One search a look: all of them in turn.
fn finds(view: &MemoryView<'_>, model: &Model, branch: &str, step: usize) {
    let (query, words, tag) = SEARCHES[step % SEARCHES.len()];
    let tags: Vec<String> = tag.iter().map(|tag| (*tag).to_owned()).collect();
    for (include_ancestors, k) in [(true, 100), (false, 100), (true, 2)] {
        let mut chain = model.chain(branch);
        chain.truncate(if include_ancestors { usize::MAX } else { 1 });
        let found = model.search(&chain, words, tag).into_iter().map(|record| record.1);
        let expected: Vec<u64> = found.take(k).collect();
        let asked = ArchivalSearch {
            branch,
            query,
            matching: Matching::All,
            k,
            tags: &tags,
            include_ancestors,
            use_fts: false,
        };
        let ids = |found: Vec<_>| found.into_iter().map(id).collect::<Vec<_>>();
        assert_eq!(ids(search(view, &asked).unwrap()), expected, "{asked:?}");
        let asked = ArchivalSearch { use_fts: true, ..asked };
        for ways in ALL_WAYS {
            let found = search_by(view, &asked, ways).unwrap();
            assert_eq!(ids(found), expected, "{asked:?} by {ways:?}");
        }
    }
}

fn id(record: crate::memory::query::ArchivalRecord) -> u64 {
    record.id
}
