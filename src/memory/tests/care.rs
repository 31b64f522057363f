//! Pressure, importance and consolidation.

use crate::memory::importance::ImportanceError;
use std::time::Duration;

use super::{SMALL, scene_of};
use crate::event::{Body, PressureLevel};
use crate::memory::{Asker, CommandImportance, ImportanceItem, ImportanceModel, StoredImportance};

/// Core at two thirds, recall at its window.
fn pressed(settings: &str) -> super::Scene {
    let scene = scene_of(&format!("{SMALL}{settings}"));
    scene.branches(&[("b", None)]);
    for (key, importance) in [("low", 1), ("high", 5)] {
        scene.done(|op| op.set_core("b", key, &"x".repeat(14), None, Some(importance)));
    }
    for i in 0..4 {
        scene.done(|op| op.write_event("b", "note", &format!("event {i}"), &[]));
    }
    scene
}

#[test]
fn pressure_weighs_core_and_recall_and_says_what_would_help() {
    let scene = pressed("");
    let found = scene.done(|op| op.check_memory_pressure("b"));
    // 19 + 1 + 20 of 60 characters, 4 of 4 events.
    assert_eq!((found.core_used, found.recall_count), (40, 4));
    assert_eq!(found.overall_permille(), 800);
    assert_eq!(found.level, PressureLevel::Medium);
    assert_eq!(found.recommendations, ["summarize_recall"]);
    let Body::PressureChecked(body) = scene.events().pop().unwrap().body else { panic!() };
    assert_eq!((body.level, body.overall_permille), (PressureLevel::Medium, 800));
}

#[test]
fn each_level_does_what_the_one_below_does_and_more() {
    for (level, actions, core, kinds) in [
        (PressureLevel::Low, &[][..], 2, &[][..]),
        (
            PressureLevel::Medium,
            &["evaluated_core_importance:2"][..],
            2,
            &["ImportanceEvaluated"][..],
        ),
        (
            PressureLevel::High,
            &["evaluated_core_importance:2", "evicted_core_items:1", "consolidated_recall:3"],
            1,
            &[
                "ImportanceEvaluated",
                "ArchivalWritten",
                "CoreEvicted",
                "ArchivalWritten",
                "RecallConsolidated",
            ],
        ),
        (
            PressureLevel::Critical,
            // There was nothing to enforce.
            &["evaluated_core_importance:2", "evicted_core_items:1", "consolidated_recall:3"],
            1,
            &[
                "ImportanceEvaluated",
                "ArchivalWritten",
                "CoreEvicted",
                "ArchivalWritten",
                "RecallConsolidated",
            ],
        ),
    ] {
        let scene = pressed("auto_consolidate = false\n");
        for i in 4..7 {
            scene.done(|op| op.write_event("b", "note", &format!("event {i}"), &[]));
        }
        let before = scene.events().len();
        let done = scene.done(|op| op.auto_consolidate_memory("b", level, Some("draft")));
        assert_eq!(done.actions_taken, actions, "{level:?}");
        assert_eq!(scene.core("b").len(), core, "{level:?}");
        let events = scene.events().split_off(before);
        let names: Vec<&str> = events.iter().map(|event| event.body.name()).collect();
        assert_eq!(
            names,
            [kinds, &["PressureChecked", "MemoryConsolidated"]].concat(),
            "{level:?}"
        );
        let freed = if level >= PressureLevel::High { 14 } else { 0 };
        assert_eq!(done.freed_chars, freed);
    }
}

#[test]
fn a_core_too_full_is_relieved_where_that_is_recommended() {
    let scene = scene_of(SMALL);
    scene.branches(&[("b", None)]);
    for (key, importance) in [("aa", 4), ("bb", 3), ("cc", 5)] {
        scene.done(|op| op.set_core("b", key, &"x".repeat(14), None, Some(importance)));
    }
    let found = scene.done(|op| op.check_memory_pressure("b"));
    assert_eq!((found.level, found.core_used), (PressureLevel::Low, 56));
    assert_eq!(found.recommendations, ["evict_core", "compress_core"]);
    let done = scene.done(|op| op.consolidate_memory("b", None));
    assert_eq!(done.actions_taken, ["evicted_core_items:1"]);
    assert_eq!((done.core_items_evicted, done.freed_chars), (1, 14));
    assert_eq!(scene.core("b").len(), 2);
    assert!(scene.core("b").iter().all(|line| !line.starts_with("bb")));
    let found = scene.done(|op| op.check_memory_pressure("b"));
    assert!(found.recommendations.is_empty(), "{found:?}");
}

fn items() -> Vec<ImportanceItem> {
    let item = |key: &str, importance| ImportanceItem {
        key: key.to_owned(),
        value: "x".to_owned(),
        importance,
    };
    vec![item("a", 2), item("b", 4)]
}

#[test]
fn the_rule_keeps_what_is_stored_and_a_command_judges() {
    let folder = tempfile::tempdir().unwrap();
    let stored = StoredImportance.evaluate(&items(), None).unwrap();
    assert_eq!(stored.iter().map(|it| it.score).collect::<Vec<_>>(), [2, 4]);
    let command = |line: &str| CommandImportance::new(line, folder.path().to_owned());
    let echo =
        r#"cat > asked; printf '[{"key":"a","score":9,"reason":"r"},{"key":"?","score":-1}]'"#;
    let judged = command(echo).evaluate(&items(), Some("draft")).unwrap();
    assert_eq!(
        judged.iter().map(|it| (it.key.as_str(), it.score)).collect::<Vec<_>>(),
        [("a", 5), ("?", 1)]
    );
    let asked = std::fs::read_to_string(folder.path().join("asked")).unwrap();
    assert_eq!(
        asked,
        r#"{"task_hint":"draft","items":[{"key":"a","value":"x","importance":2},{"key":"b","value":"x","importance":4}]}"#
    );
    for (line, says) in [
        ("exit 3", "failed"),
        ("echo no list", "answered what is no list of scores"),
        (r#"echo '[{"key":"a","score":"high"}]'"#, "answered what is no list of scores"),
        ("/nowhere/to/be/found", "failed"),
        ("yes '[' | head -c 2000000", "it has 2000000 bytes"),
    ] {
        let error = command(line).evaluate(&items(), None).unwrap_err();
        assert!(error.to_string().contains(says), "{line}: {error}");
    }
    let slow = command("sleep 60").within(Duration::from_millis(200)).evaluate(&items(), None);
    assert!(matches!(slow, Err(ImportanceError::TooLong { .. })), "{slow:?}");
}

#[test]
fn what_a_model_judged_counts_where_the_value_is_the_same_still() {
    let judge = r#"importance_model = "printf '[{\"key\":\"low\",\"score\":5,\"reason\":\"r\"},{\"key\":\"high\",\"score\":1,\"reason\":\"s\"}]'"
"#;
    let scene = pressed(judge);
    let mut memory = scene.memory();
    memory.judge("b", Some("draft")).unwrap();
    let scores = memory
        .operate(&Asker::default(), |op| {
            op.set_core("b", "low", "another", None, Some(2))?;
            op.evaluate_importance_with_llm("b", Some("draft"))
        })
        .unwrap();
    let scores: Vec<(&str, u8, &str)> =
        scores.iter().map(|it| (it.key.as_str(), it.score, it.reason.as_str())).collect();
    assert_eq!(scores, [("high", 1, "s"), ("low", 2, "as stored")]);
    drop(memory);
    scene.check();
    // A model that fails loses nothing, and it is said.
    let scene = pressed("importance_model = \"echo broken >&2; exit 1\"\n");
    let mut memory = scene.memory();
    memory.judge("b", None).unwrap();
    let level = PressureLevel::Medium;
    let done = memory.operate(&Asker::default(), |op| op.auto_consolidate_memory("b", level, None));
    assert!(done.unwrap().importance_failed.unwrap().contains("broken"));
    assert_eq!(scene.core("b").len(), 2);
}
