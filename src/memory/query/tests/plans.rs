//! Every read goes along an index.

use super::kept::{Kept, append, archive, fork, inherited_events, set};
use crate::config::MemoryConfig;
use crate::memory::query::search::{Ways, search_by};
use crate::memory::query::*;

const MADE_FOR: [&str; 8] = [
    "idx_branches_node",
    "idx_branches_parent",
    "idx_events_branch",
    "idx_events_same",
    "idx_archival_branch",
    "idx_archival_wide",
    "idx_archival_same",
    "idx_inherited_summaries_branch",
];

#[test]
fn no_read_of_memory_scans_a_table() {
    let mut bodies = vec![fork("root", None), fork("b", Some("root")), set("b", "k", "v")];
    bodies.extend((1..20).map(|id| append(id, "b", "note", "text", &[])));
    bodies.extend((1..20).map(|id| archive(id, "root", "größe text", &["T"])));
    let kept = Kept::with(bodies);
    let view = kept.view();
    branch_of(&view, "none").unwrap();
    branches(&view).unwrap();
    pressure(&view, "b", &MemoryConfig::default(), 0).unwrap();
    inherited_events(&view, "b", 100).unwrap();
    own_events(&view, "b", 100).unwrap();
    recall_search(&view, "b", "text", 100).unwrap();
    view.same_event("b", "note", "x", &[]).unwrap();
    view.same_record("b", "x", &[]).unwrap();
    let side = MemorySide { view, branch: "b", now_ms: 0 };
    diff(&side, &side).unwrap();
    for rare_max in [0, 1_000] {
        let ways = Ways { look_step: 1, look_max: 0, rare_max, postings_a_row: 1_000 };
        let (query, tags) = ("text", ["T".to_owned()]);
        let asked = ArchivalSearch {
            branch: "b",
            query,
            matching: Matching::All,
            k: 100,
            tags: &tags,
            include_ancestors: true,
            use_fts: true,
        };
        assert_eq!(search_by(&view, &asked, ways).unwrap().len(), 19);
    }
    let plans = view.plans().unwrap();
    // The same text is found by how it begins and ends, not among all that a branch has.
    for (index, equal) in [("idx_events_same", 5), ("idx_archival_same", 4)] {
        let narrow = |line: &String| line.contains(index) && line.matches("=?").count() == equal;
        assert!(plans.iter().any(|(_, plan)| plan.iter().any(narrow)), "{index}: {plans:#?}");
    }
    let used = plans.iter().flat_map(|(_, plan)| plan).cloned().collect::<Vec<_>>().join("\n");
    for index in MADE_FOR {
        assert!(used.contains(&format!("INDEX {index} ")), "no read uses {index}:\n{used}");
    }
    for (sql, plan) in plans {
        for line in &plan {
            // FTS5 says SCAN of its own index too: M is MATCH.
            let is_match =
                line.starts_with("SCAN archival_fts VIRTUAL TABLE") && line.contains(":M");
            let is_indexed = line.starts_with("SEARCH") || is_match;
            let is_few = sql.contains("FROM inherited_summaries") && line.contains("TEMP B-TREE");
            assert!(is_indexed || is_few, "{line}\nin {plan:#?}\nof {sql}");
        }
    }
}
