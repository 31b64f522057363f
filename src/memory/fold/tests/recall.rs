//! What events of recall memory write down.

use super::*;
use crate::event::{
    InheritedConsolidated, InheritedGroup, RecallConsolidated, RecallEvicted, RecallGroup,
};

#[test]
fn events_go_where_their_branch_sends_them_and_no_others() {
    let mut written = Written::new();
    written.put(fork("root", None)).put(fork("a", Some("root")));
    for (id, branch) in [(1, "root"), (2, "root"), (3, "a"), (4, "a"), (5, "a")] {
        written.put(append(id, branch));
    }
    let ids = "SELECT id, branch_id FROM events ORDER BY id";
    let tags = r#"["RECALL_EVENT", "kind:\u00e9"]"#;
    let sql = "SELECT * FROM events WHERE id < 3 ORDER BY id";
    let max = i64::MAX;
    assert_eq!(
        written.rows(sql),
        [
            format!("1|root|note|event 1|{tags}|3.25|draft|{max}"),
            format!("2|root|note|event 2|{tags}|4.25|NULL|NULL")
        ]
    );
    let branch = || "a".to_owned();
    let evicted = |ids: Vec<u64>| {
        let records = vec![1; ids.len()];
        Body::RecallEvicted(RecallEvicted { branch: branch(), ids, records, origin: origin() })
    };
    written.put(evicted(vec![3]));
    assert_eq!(written.anomalies(), [""; 0]);
    // What is not there, and what is another's, stays what it was; the rest goes.
    written.put(evicted(vec![3, 1, 4]));
    assert_eq!(written.anomalies(), ["@9 the branch \"a\" has no event of its own 3, 1"]);
    let group = RecallGroup { kind: "note".to_owned(), ids: vec![5], record: 2 };
    written.put(Body::RecallConsolidated(RecallConsolidated {
        branch: branch(),
        total: 1,
        kept: 0,
        groups: vec![group],
        origin: origin(),
    }));
    assert_eq!(written.rows(ids), ["1|root", "2|root"]);
    assert_eq!(written.projector.view().last_ids().unwrap().events, 5);
}

#[test]
fn inherited_events_are_summed_up_all_together_or_not_at_all() {
    let mut written = Written::new();
    written.put(fork("root", None)).put(fork("a", Some("root")));
    written.put(append(1, "root")).put(append(2, "root"));
    let group = |summary_id, ids: &[u64]| InheritedGroup {
        kind: "note".to_owned(),
        ids: ids.to_vec(),
        summary_id,
        summary: format!("summary {summary_id}"),
    };
    let consolidated = |groups| {
        Body::InheritedConsolidated(InheritedConsolidated {
            branch: "a".to_owned(),
            total: 2,
            kept: 0,
            ancestors: 1,
            groups,
            origin: origin(),
        })
    };
    written.put(consolidated(vec![group(1, &[1]), group(2, &[2, 1])]));
    let summaries = "SELECT * FROM inherited_summaries ORDER BY id";
    let exclusions = "SELECT * FROM inherited_exclusions ORDER BY 1, 2";
    let sums = ["1|a|summary 1|[1]|note|5.25", "2|a|summary 2|[2, 1]|note|5.25"];
    assert_eq!(written.rows(summaries), sums);
    assert_eq!(written.rows(exclusions), ["a|1|5.25", "a|2|5.25"]);
    assert_eq!(written.rows("SELECT id FROM events"), ["1", "2"], "ancestors keep theirs");
    assert_eq!(written.anomalies(), [""; 0]);

    for groups in [
        vec![group(3, &[7]), group(2, &[8])],
        vec![group(3, &[7]), group(3, &[8])],
        vec![group(3, &[7]), group(0, &[8])],
    ] {
        written.put(consolidated(groups));
        assert_eq!(written.anomalies().len(), 1);
        assert_eq!(written.rows(summaries), sums);
        assert_eq!(written.rows(exclusions).len(), 2);
    }
}
