//! How full memory is.

use super::kept::{Kept, append, archive, delete, fork, set, set_as};
use crate::config::MemoryConfig;
use crate::event::PressureLevel;
use crate::memory::query::{branches, pressure};

/// Where memory is how full is as the settings have it where they say nothing.
fn sizes() -> MemoryConfig {
    MemoryConfig { core_max_chars: 20, recall_max_events: 4, ..MemoryConfig::default() }
}

#[test]
fn pressure_is_of_core_and_recall_and_says_what_would_help() {
    // Characters of the branch's own core, events it sees; what is made of them.
    let cases: [(usize, u64, u64, PressureLevel, &[&str]); 8] = [
        (0, 0, 0, PressureLevel::Low, &[]),
        (10, 2, 500, PressureLevel::Low, &[]),
        (20, 1, 700, PressureLevel::Medium, &["evict_core", "compress_core"]),
        (15, 3, 750, PressureLevel::Medium, &["compress_core", "summarize_recall"]),
        (15, 4, 850, PressureLevel::High, &["compress_core", "summarize_recall"]),
        (
            20,
            4,
            1_000,
            PressureLevel::Critical,
            &["evict_core", "compress_core", "summarize_recall"],
        ),
        (
            20,
            9,
            1_000,
            PressureLevel::Critical,
            &["consolidate_recall", "evict_core", "compress_core", "summarize_recall"],
        ),
        (0, 9, 400, PressureLevel::Low, &["consolidate_recall", "summarize_recall"]),
    ];
    for (core_chars, events, permille, level, recommendations) in cases {
        let mut bodies = vec![
            fork("root", None),
            set("root", "inherited", "counts for its own branch only"),
            fork("b", Some("root")),
            delete("b", "gone"),
            set_as("b", "over", "its time is over", 3, Some("1")),
        ];
        if core_chars > 0 {
            // "a: …", a line break, "ö: …".
            let rest = core_chars - "a: 1\nö: ".chars().count();
            bodies.extend([set("b", "a", "1"), set("b", "ö", &"ß".repeat(rest))]);
        }
        let half = |id: u64| if id.is_multiple_of(2) { "root" } else { "b" };
        bodies.extend((1..=events).map(|id| append(id, half(id), "note", "text", &[])));
        let kept = Kept::with(bodies);
        let found = pressure(&kept.view(), "b", &sizes(), 1_000_000).unwrap();
        assert_eq!((found.core_used, found.recall_count), (core_chars as u64, events));
        assert_eq!((found.overall_permille(), found.level), (permille, level), "{found:?}");
        assert_eq!(found.recommendations, recommendations, "{core_chars} {events}");
    }
}

#[test]
fn the_archive_counts_for_advice_only_and_no_size_is_no_limit() {
    let mut bodies = vec![fork("root", None), fork("b", Some("root"))];
    bodies.extend((1..=101).map(|id| archive(id, "root", "größe", &[])));
    let kept = Kept::with(bodies);
    let found = pressure(&kept.view(), "b", &sizes(), 0).unwrap();
    assert_eq!((found.archival_count, found.archival_chars), (101, 505));
    assert_eq!(found.recommendations, ["prune_archival"]);
    let none = MemoryConfig { core_max_chars: 0, recall_max_events: 0, ..sizes() };
    assert_eq!(pressure(&kept.view(), "b", &none, 0).unwrap().overall_permille(), 0);
}

#[test]
fn branches_are_listed_oldest_first_with_what_is_their_own() {
    let kept = Kept::with([
        fork("z", None),
        fork("a", Some("z")),
        fork("b", Some("z")),
        set("z", "k", "v"),
        delete("z", "gone"),
        append(1, "z", "note", "text", &[]),
        archive(1, "a", "text", &[]),
    ]);
    let listed = branches(&kept.view()).unwrap().into_iter().map(|branch| {
        let counts = [branch.children, branch.core, branch.recall, branch.archival];
        (branch.branch, branch.parent, branch.created_ms, counts)
    });
    let z = Some("z".to_owned());
    assert_eq!(
        listed.collect::<Vec<_>>(),
        [
            ("z".to_owned(), None, 1_000, [2, 1, 1, 0]),
            ("a".to_owned(), z.clone(), 2_000, [0, 0, 0, 1]),
            ("b".to_owned(), z, 3_000, [0, 0, 0, 0]),
        ]
    );
}

#[test]
fn parents_are_listed_before_their_children_whatever_their_names_and_clocks() {
    let mut kept = Kept::new();
    for (branch, parent, at_ms) in [
        ("z", None, 5_000),
        ("y", Some("z"), 5_000),
        ("a", Some("y"), 5_000),
        ("b", Some("z"), 4_000),
        ("old", None, 1_000),
    ] {
        kept.apply(fork(branch, parent), at_ms);
    }
    let listed = branches(&kept.view()).unwrap().into_iter().map(|branch| branch.branch);
    assert_eq!(listed.collect::<Vec<_>>(), ["old", "z", "b", "y", "a"]);
}
