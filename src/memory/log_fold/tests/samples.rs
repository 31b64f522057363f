//! Events that have lines, and some that have none.

use crate::event::*;

fn origin(by: MemoryDoor) -> MemoryOrigin {
    let run = Some("run-1".to_owned());
    MemoryOrigin { by, run, node: Some("n1".to_owned()), phase: None, execution: None }
}

pub(super) fn forked(
    branch: &str,
    parent: Option<&str>,
    auto_created: bool,
    by: MemoryDoor,
) -> Body {
    Body::BranchForked(BranchForked {
        branch: branch.to_owned(),
        parent: parent.map(str::to_owned),
        node: Some(branch.to_owned()),
        auto_created,
        copied_from: None,
        origin: MemoryOrigin { node: None, ..origin(by) },
    })
}

pub(super) fn set(by: MemoryDoor, value: &str) -> Body {
    Body::CoreSet(CoreSet {
        branch: "b".to_owned(),
        key: "phase0_summary".to_owned(),
        value: value.to_owned(),
        importance: 4,
        ttl: None,
        origin: origin(by),
    })
}

pub(super) fn appended(by: MemoryDoor) -> Body {
    Body::RecallAppended(RecallAppended {
        id: 1,
        branch: "b".to_owned(),
        kind: "memory_injected".to_owned(),
        text: "in\nit".to_owned(),
        tags: vec!["RECALL_EVENT".to_owned()],
        task_hint: None,
        memory_size: None,
        origin: origin(by),
    })
}

pub(super) fn written(by: MemoryDoor) -> Body {
    Body::ArchivalWritten(ArchivalWritten {
        id: 1,
        branch: "b".to_owned(),
        text: "an insight".to_owned(),
        tags: vec!["LLM_INSIGHT".to_owned()],
        whole: None,
        origin: origin(by),
    })
}

pub(super) fn read(query: MemoryQuery) -> Body {
    let origin = origin(MemoryDoor::Api);
    Body::MemoryRead(MemoryRead { branch: "b".to_owned(), query, results: 1, origin })
}

pub(super) fn applied(operations: &str, asked: &[&str]) -> Body {
    Body::UpdatesApplied(UpdatesApplied {
        branch: "b".to_owned(),
        asked: asked.iter().map(|key| (*key).to_owned()).collect(),
        operations: Json(operations.to_owned()),
        began_ms: 1_706_123_456_000,
        ended_ms: 1_706_123_456_789,
        prompt: None,
        origin: origin(MemoryDoor::Model),
    })
}

fn retrieved() -> Body {
    read(MemoryQuery::Archival {
        query: "q".to_owned(),
        k: 3,
        tags: Vec::new(),
        include_ancestors: true,
    })
}

/// One event for every operation that has a line.
pub(super) fn every_operation() -> Vec<Body> {
    let internal = || origin(MemoryDoor::Internal);
    let experiment = Experiment { run: "run-1".to_owned(), index: 1, name: "exp".to_owned() };
    let place = NodePlace { experiment, node: "n1".to_owned(), branch: "b".to_owned() };
    let branch = "b".to_owned();
    vec![
        forked("root", None, true, MemoryDoor::Api),
        forked("b", Some("root"), false, MemoryDoor::Api),
        set(MemoryDoor::Api, "v"),
        set(MemoryDoor::Model, "v"),
        Body::CoreDeleted(CoreDeleted {
            branch: branch.clone(),
            key: "k".to_owned(),
            reason: String::new(),
            origin: origin(MemoryDoor::Api),
        }),
        Body::CoreEvicted(CoreEvicted {
            branch: branch.clone(),
            key: "k".to_owned(),
            record: 4,
            importance: 1,
            cause: EvictionCause::Budget,
            origin: internal(),
        }),
        appended(MemoryDoor::Api),
        appended(MemoryDoor::Primitive),
        written(MemoryDoor::Api),
        written(MemoryDoor::Internal),
        Body::ArchivalUpdated(ArchivalUpdated {
            id: 1,
            branch: branch.clone(),
            text: Some("new text".to_owned()),
            tags: None,
            whole: None,
            origin: origin(MemoryDoor::Api),
        }),
        retrieved(),
        Body::RecallEvicted(RecallEvicted {
            branch: branch.clone(),
            ids: vec![1, 2],
            records: vec![3, 4],
            origin: origin(MemoryDoor::Model),
        }),
        Body::RecallConsolidated(RecallConsolidated {
            branch: branch.clone(),
            total: 8,
            kept: 5,
            groups: vec![RecallGroup { kind: "step".to_owned(), ids: vec![1, 2, 3], record: 3 }],
            origin: internal(),
        }),
        Body::InheritedConsolidated(InheritedConsolidated {
            branch: branch.clone(),
            total: 9,
            kept: 5,
            ancestors: 2,
            groups: vec![InheritedGroup {
                kind: "step".to_owned(),
                ids: vec![1],
                summary_id: 1,
                summary: "s".to_owned(),
            }],
            origin: internal(),
        }),
        applied("[]", &["core"]),
        Body::PromptRendered(PromptRendered {
            branch: branch.clone(),
            task_hint: Some("draft".to_owned()),
            budget_chars: 4_000,
            no_limit: false,
            rendered: Content::Inline(b"text".to_vec()),
            rendered_chars: 4,
            core_count: 1,
            recall_count: 2,
            archival_count: 3,
            began_ms: 1_706_123_456_000,
            ended_ms: 1_706_123_456_100,
            prompt: None,
            origin: origin(MemoryDoor::Api),
        }),
        Body::PressureChecked(PressureChecked {
            branch: branch.clone(),
            level: PressureLevel::Low,
            overall_permille: 403,
            core_used: 9,
            core_max: 2_000,
            core_entries: 1,
            recall_count: 9,
            recall_max: 5,
            archival_count: 3,
            archival_chars: 30,
            recommendations: vec!["consolidate_recall".to_owned()],
            origin: internal(),
        }),
        Body::MemoryConsolidated(MemoryConsolidated {
            branch: branch.clone(),
            level: PressureLevel::High,
            new_level: PressureLevel::Low,
            actions: vec!["evaluated_core_importance:2".to_owned()],
            freed_chars: 0,
            core_evicted: 0,
            recall_consolidated: 0,
            origin: internal(),
        }),
        Body::ImportanceEvaluated(ImportanceEvaluated {
            branch,
            task_hint: None,
            items: vec![Importance { key: "k".to_owned(), score: 3, reason: "r".to_owned() }],
            origin: internal(),
        }),
        Body::VlmAnalysisCompleted(VlmAnalysisCompleted {
            place,
            plots: 2,
            summary: "fine".to_owned(),
        }),
    ]
}
