//! Any text is a query, and what is found does not depend on the way.

use super::kept::{Kept, append, archive, fork, owned};
use crate::memory::query::search::terms::{QUERY_CHARS_MAX, TERMS_MAX};
use crate::memory::query::search::{Terms, Ways, search_by};
use crate::memory::query::{ArchivalSearch, Matching, recall_search, search};
use crate::memory::store::KeptWords;
use proptest::prelude::*;

fn kept() -> Kept {
    Kept::with([
        fork("b", None),
        archive(1, "b", "AND OR NOT NEAR \"quoted\" col:on (paren) star* -minus ^caret", &["T:1"]),
        archive(2, "b", "emoji 🦀 crab", &["x\u{0}y"]),
        archive(3, "b", &"word ".repeat(1_000), &[]),
        archive(4, "b", &"q".repeat(40_000), &[]),
    ])
}

fn found(kept: &Kept, query: &str, tags: &[String]) -> Vec<u64> {
    let asked = ArchivalSearch {
        branch: "b",
        query,
        matching: Matching::All,
        k: 10,
        tags,
        include_ancestors: true,
        use_fts: false,
    };
    let ids = |records: Vec<crate::memory::query::ArchivalRecord>| {
        records.into_iter().map(|record| record.id).collect::<Vec<_>>()
    };
    let plain = ids(search(&kept.view(), &asked).unwrap());
    let ways = Ways { look_step: 1, look_max: 0, rare_max: 1_000, postings_a_row: 16 };
    let by_index = ArchivalSearch { use_fts: true, ..asked };
    assert_eq!(ids(search_by(&kept.view(), &by_index, ways).unwrap()), plain, "{query:?}");
    let (index, all) = kept.words();
    let view = kept.view().with(KeptWords { index, changed: &all, near: &[] });
    let ways = Ways { look_max: 1_000, rare_max: 0, ..ways };
    for by_words in [asked, by_index] {
        assert_eq!(ids(search_by(&view, &by_words, ways).unwrap()), plain, "{query:?}");
    }
    plain
}

#[test]
fn nothing_that_is_typed_is_an_operator() {
    let kept = kept();
    let everything = [4, 3, 2, 1];
    for (query, ids) in [
        ("", &everything[..]),
        ("\"", &everything),
        ("* ( ) : ^ - + ' ; --", &everything),
        ("\0\0", &everything),
        ("AND", &[1]),
        ("\"quoted", &[1]),
        ("text:quoted", &[]),
        ("quoted col", &[1]),
        ("NOT crab", &[]),
        ("star*", &[1]),
        ("sta*", &[]),
        ("(paren", &[1]),
        ("near\0quoted", &[1]),
        ("🦀", &everything),
        ("emoji🦀crab", &[2]),
        ("word", &[3]),
        ("wor", &[]),
        ("T:1", &[1]),
        ("y", &[2]),
    ] {
        assert_eq!(found(&kept, query, &[]), ids, "{query:?}");
    }
}

#[test]
fn a_query_is_read_so_far_and_no_farther() {
    let kept = kept();
    let megabyte = "word ".repeat(200_000);
    assert_eq!(found(&kept, &megabyte, &[]), [3]);
    assert_eq!(found(&kept, &"q".repeat(1 << 20), &[]), [0; 0]);
    assert_eq!(found(&kept, &format!("word{}absent", " ".repeat(QUERY_CHARS_MAX)), &[]), [3]);
    let many: Vec<String> = (0..TERMS_MAX + 1).map(|n| format!("t{n}")).collect();
    let terms = Terms::of(&many.join(" "));
    assert_eq!(terms, Terms::of(&many[..TERMS_MAX].join("-")));
    assert_ne!(terms, Terms::of(&many[..TERMS_MAX - 1].join(" ")));
    // Words that come twice count once.
    assert_eq!(terms, Terms::of(&format!("{0} {0}", many[..TERMS_MAX].join(" "))));
}

#[test]
fn a_tag_is_asked_for_whole_and_before_the_limit() {
    let mut bodies = vec![fork("b", None), archive(1, "b", "old", &["RES", "id:7"])];
    bodies.extend((2..30).map(|id| archive(id, "b", "new", &["RES x", "id:77", "res"])));
    let kept = Kept::with(bodies);
    for (tags, ids) in [
        (&["RES"][..], &[1][..]),
        (&["RES", "id:7"], &[1]),
        (&["RES", "id:8"], &[]),
        (&["id"], &[]),
        (&[""], &[]),
        (&[":"], &[]),
        (&["größe"], &[]),
        (&["RES x", "id:77"], &[29, 28, 27, 26, 25, 24, 23, 22, 21, 20]),
    ] {
        assert_eq!(found(&kept, "", &owned(tags)), ids, "{tags:?}");
    }
}

#[test]
fn events_are_searched_like_records() {
    let kept = Kept::with([
        fork("root", None),
        append(1, "root", "note", "the compiler failed", &["phase:draft"]),
        fork("b", Some("root")),
        append(2, "b", "compiler", "größer", &[]),
    ]);
    for (query, k, ids) in [
        ("", 9, &[2, 1][..]),
        ("Compiler", 9, &[2, 1]),
        ("compiler", 1, &[2]),
        ("draft absent", 9, &[1]),
        ("größer draft", 9, &[2, 1]),
        ("absent", 9, &[]),
        ("gröSS", 9, &[]),
        ("größe", 9, &[2]),
    ] {
        let found = recall_search(&kept.view(), "b", query, k).unwrap();
        assert_eq!(found.into_iter().map(|event| event.id).collect::<Vec<_>>(), ids, "{query}");
    }
}

#[test]
fn what_is_there_already_is_found_by_all_it_says() {
    let kept = Kept::with([
        fork("root", None),
        fork("b", Some("root")),
        append(1, "b", "note", "text", &["t", "größe"]),
        archive(7, "b", "nul \0 text", &["t"]),
    ]);
    let view = kept.view();
    let tags = owned(&["t", "größe"]);
    assert_eq!(view.same_event("b", "note", "text", &tags).unwrap(), Some(1));
    assert_eq!(view.same_event("root", "note", "text", &tags).unwrap(), None);
    assert_eq!(view.same_event("b", "note", "text", &tags[..1]).unwrap(), None);
    let tags = owned(&["t"]);
    assert_eq!(view.same_record("b", "nul \0 text", &tags).unwrap(), Some(7));
    assert_eq!(view.same_record("b", "nul \0 tex", &tags).unwrap(), None);
    assert_eq!(view.same_record("b", "nul \0 text", &[]).unwrap(), None);
    assert_eq!(view.record(7).unwrap().unwrap().text, "nul \0 text");
    assert_eq!(view.record(8).unwrap(), None);
    assert_eq!(view.record(u64::MAX >> 1).unwrap(), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_ways_agree_on_any_text(
        texts in prop::collection::vec(("\\PC{0,20}|[a-c \0É\u{301}ßK\"]{0,12}", "\\PC{0,6}"), 1..12),
        query in "\\PC{0,8}|[a-c É\u{301}ßK\"]{0,4}",
        filter in prop::option::of("\\PC{0,6}"),
    ) {
        let record = |(at, (text, tag)): (usize, &(String, String))| {
            archive(at as u64 + 1, "b", text, &[tag])
        };
        let records = texts.iter().enumerate().map(record);
        let kept = Kept::with([fork("b", None)].into_iter().chain(records));
        let tags: Vec<String> = filter.into_iter().collect();
        found(&kept, &query, &tags);
        // A word of a text finds it.
        let (text, tag) = &texts[0];
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            prop_assert!(found(&kept, word, &[]).len() == 10 || found(&kept, word, &[]).contains(&1));
        }
        prop_assert!(found(&kept, "", std::slice::from_ref(tag)).len() == 10
            || found(&kept, "", std::slice::from_ref(tag)).contains(&1));
    }
}
