//! What is advised, for each recommendation.

use super::advice;

#[test]
fn each_recommendation_says_what_leads_somewhere() {
    for (recommendations, says) in [
        (
            &["consolidate_recall", "summarize_recall"][..],
            "summarize_recall: annals memory consolidate b",
        ),
        (
            &["evict_core", "compress_core"],
            "evict_core: annals memory consolidate b; compress_core: set",
        ),
        (&["summarize_recall"], "summarize_recall: evict"),
        (&["prune_archival"], "prune_archival: keep"),
    ] {
        let advice = advice(recommendations, "b");
        assert!(advice.contains(says), "{advice}");
    }
}
