//! Records by what they say of a question.

use super::kept::{Kept, archive, fork, owned};
use crate::event::{ArchivalUpdated, Body};
use crate::memory::query::{ArchivalSearch, Matching, Render, render, search};

fn found(kept: &Kept, branch: &str, query: &str, tags: &[&str]) -> Vec<u64> {
    found_of(kept, branch, query, tags, true)
}

fn found_of(kept: &Kept, branch: &str, query: &str, tags: &[&str], ancestors: bool) -> Vec<u64> {
    let tags = owned(tags);
    let asked = ArchivalSearch {
        branch,
        query,
        matching: Matching::Any,
        k: 5,
        tags: &tags,
        include_ancestors: ancestors,
        use_fts: true,
    };
    let found = search(&kept.view(), &asked).unwrap();
    found.into_iter().map(|record| record.id).collect()
}

fn kept() -> Kept {
    Kept::with([
        fork("root", None),
        archive(
            1,
            "root",
            "The linker failed: undefined reference to omp_get_num_threads",
            &["ERROR"],
        ),
        archive(2, "root", "Compiling with -fopenmp links the threads", &["INSIGHT", "node_id:7"]),
        archive(3, "root", "We decided to drop the shadow branch", &[]),
        fork("a", Some("root")),
        archive(4, "a", "defaultAgent was undefined until the config was read", &["ERROR"]),
        archive(5, "a", "Größe der Datei: 日本語のログ", &[]),
        archive(6, "a", "The branch of the tree, the tree, the tree", &[]),
        fork("b", Some("root")),
        archive(7, "b", "shadow branch dropped", &["node_id:7"]),
    ])
}

#[test]
fn any_word_finds_and_who_says_most_comes_first() {
    let kept = kept();
    for (branch, query, ids) in [
        // Whatever a person types around it.
        ("a", "when did we decide to drop the shadow branch?", &[3, 6][..]),
        ("a", "that error about undefined defaultAgent", &[4, 1]),
        ("a", "decisions on dropping shadows", &[3]),
        ("a", "openmp", &[]),
        ("a", "fopenmp", &[2]),
        ("a", "link", &[2]),
        ("a", "default agents", &[4]),
        ("a", "num threads", &[1, 2]),
        ("a", "omp_get_num_threads", &[1, 2]),
        ("a", "grosse", &[5]),
        ("a", "GRÖßE", &[5]),
        ("a", "große", &[5]),
        ("a", "本語", &[5]),
        ("a", "日本語", &[5]),
        // In tags too.
        ("a", "insight", &[2]),
        ("a", "node_id:7", &[2]),
        ("a", "absent", &[]),
        // A sibling sees nothing of it, and its own beside what it inherits.
        ("b", "shadow branch", &[7, 3]),
        ("b", "defaultAgent", &[]),
        ("none", "branch", &[]),
        // No word at all: every record, the newest first.
        ("a", "", &[6, 5, 4, 3, 2]),
        ("a", "🦀 * ( ) --", &[6, 5, 4, 3, 2]),
    ] {
        assert_eq!(found(&kept, branch, query, &[]), ids, "{query:?} on {branch}");
    }
}

#[test]
fn tags_and_ancestors_are_as_for_all_words() {
    let kept = kept();
    for (branch, query, tags, ancestors, ids) in [
        ("a", "undefined", &["ERROR"][..], true, &[4, 1][..]),
        ("a", "undefined", &["ERROR"], false, &[4]),
        ("a", "undefined", &["error"], true, &[]),
        ("a", "undefined", &["ERR"], true, &[]),
        ("a", "threads", &["INSIGHT", "node_id:7"], true, &[2]),
        ("a", "threads", &["INSIGHT", "node_id:8"], true, &[]),
    ] {
        let found = found_of(&kept, branch, query, tags, ancestors);
        assert_eq!(found, ids, "{query} {tags:?} {ancestors}");
    }
}

#[test]
fn of_records_that_say_the_same_the_newest_come_first() {
    let mut bodies = vec![fork("b", None)];
    bodies
        .extend((1..=9).map(|id| archive(id, "b", ["red blue", "blue red"][id as usize % 2], &[])));
    let kept = Kept::with(bodies);
    assert_eq!(found(&kept, "b", "red", &[]), [9, 8, 7, 6, 5]);
    // The rarer word tells more, the shorter text too, and more of a word.
    let kept = Kept::with([
        fork("b", None),
        archive(1, "b", "rare", &[]),
        archive(2, "b", "common rare and much else that is said", &[]),
        archive(3, "b", "common word", &[]),
        archive(4, "b", "common common", &[]),
        archive(5, "b", "common thing", &[]),
    ]);
    assert_eq!(found(&kept, "b", "common rare", &[]), [2, 1, 4, 5, 3]);
}

#[test]
fn what_others_hold_changes_no_rank() {
    let bodies = || {
        vec![
            fork("root", None),
            fork("b", Some("root")),
            archive(1, "b", "one two", &[]),
            archive(2, "b", "two three", &[]),
            archive(3, "b", "three", &[]),
        ]
    };
    let alone = found(&Kept::with(bodies()), "b", "one three", &[]);
    let mut more = bodies();
    more.push(fork("c", Some("root")));
    more.extend((4..60).map(|id| archive(id, "c", "one one one", &[])));
    assert_eq!(found(&Kept::with(more), "b", "one three", &[]), alone);
}

#[test]
fn a_changed_record_is_found_by_what_it_says_now() {
    let mut kept = kept();
    let change = |text: Option<&str>, tags: Option<&[&str]>| {
        Body::ArchivalUpdated(ArchivalUpdated {
            id: 3,
            branch: "root".to_owned(),
            text: text.map(str::to_owned),
            tags: tags.map(owned),
            whole: None,
            origin: super::kept::origin(),
        })
    };
    kept.apply(change(Some("kept after all"), None), 90_000);
    kept.apply(change(None, Some(&["REVISED"])), 91_000);
    for (query, ids) in [("shadow", &[][..]), ("kept", &[3]), ("revised", &[3])] {
        assert_eq!(found(&kept, "a", query, &[]), ids, "{query}");
    }
}

#[test]
fn a_prompt_shows_what_says_most_of_its_task_first() {
    let kept = kept();
    let ask = Render {
        branch: "a",
        task_hint: Some("undefined references while linking threads"),
        budget_chars: 4_000,
        no_limit: false,
        now_ms: 1_000_000,
        recall_max_events: 20,
        retrieval_k: 4,
    };
    let shown = render(&kept.view(), &ask).unwrap().archival;
    let ids: Vec<u64> = shown.into_iter().map(|record| record.id).collect();
    assert_eq!(ids, [1, 2, 4, 6]);
}
