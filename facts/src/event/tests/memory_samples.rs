//! One event of every kind of branch memory, each field filled.

use super::samples::{EXECUTION, free, some};
use crate::event::*;

fn origin(by: MemoryDoor) -> MemoryOrigin {
    MemoryOrigin {
        by,
        run: Some("run".into()),
        node: Some("node".into()),
        phase: Some("phase".into()),
        execution: Some(EXECUTION),
    }
}

pub(super) fn experiment() -> Experiment {
    Experiment { run: "run".into(), index: 251, name: "name".into() }
}

pub(super) fn prompt_place() -> PromptPlace {
    PromptPlace {
        experiment: experiment(),
        session: "session".into(),
        stage: "1_creative_research_1_first_attempt".into(),
        label: "draft_attempt1".into(),
        counter: 3,
        round: 1,
    }
}

pub(super) fn memory_bodies() -> Vec<Body> {
    let mut bodies = written();
    bodies.extend(asked());
    bodies.extend(stated());
    bodies
}

/// What the branch, the core, the recall and the archive of it were given.
fn written() -> Vec<Body> {
    vec![
        Body::BranchForked(BranchForked {
            branch: "branch".into(),
            parent: Some("parent".into()),
            node: Some("node".into()),
            auto_created: true,
            copied_from: Some(CopiedFrom { branch: "from".into(), through_sequence: 65_536 }),
            origin: origin(MemoryDoor::Primitive),
        }),
        Body::CoreSet(CoreSet {
            branch: "branch".into(),
            key: free("key"),
            value: free("value"),
            importance: 4,
            ttl: Some("3600.5".into()),
            origin: origin(MemoryDoor::Model),
        }),
        Body::CoreDeleted(CoreDeleted {
            branch: "branch".into(),
            key: free("key"),
            reason: free("reason"),
            origin: origin(MemoryDoor::Api),
        }),
        Body::CoreEvicted(CoreEvicted {
            branch: "branch".into(),
            key: free("key"),
            record: 17,
            importance: 1,
            cause: EvictionCause::Consolidation,
            origin: origin(MemoryDoor::Internal),
        }),
        Body::RecallAppended(RecallAppended {
            id: 252,
            branch: "branch".into(),
            kind: free("node_result"),
            text: free("text"),
            tags: vec![free("tag")],
            task_hint: some("hint"),
            memory_size: Some(70_000),
            origin: origin(MemoryDoor::Api),
        }),
        Body::RecallEvicted(RecallEvicted {
            branch: "branch".into(),
            ids: vec![252, 253],
            records: vec![18, 19],
            origin: origin(MemoryDoor::Model),
        }),
        Body::RecallConsolidated(RecallConsolidated {
            branch: "branch".into(),
            total: 31,
            kept: 20,
            groups: vec![RecallGroup { kind: "note".into(), ids: vec![1, 2], record: 20 }],
            origin: origin(MemoryDoor::Internal),
        }),
        Body::InheritedConsolidated(InheritedConsolidated {
            branch: "branch".into(),
            total: 32,
            kept: 20,
            ancestors: 2,
            groups: vec![InheritedGroup {
                kind: "note".into(),
                ids: vec![3],
                summary_id: 1,
                summary: free("summary"),
            }],
            origin: origin(MemoryDoor::Internal),
        }),
        Body::ArchivalWritten(ArchivalWritten {
            id: 20,
            branch: "branch".into(),
            text: free("text"),
            tags: vec![free("tag one"), free("tag two")],
            whole: Some(Content::Inline(free("whole").into_bytes())),
            origin: origin(MemoryDoor::Import),
        }),
        Body::ArchivalUpdated(ArchivalUpdated {
            id: 20,
            branch: "branch".into(),
            text: some("text"),
            tags: Some(vec![free("tag")]),
            whole: Some(Content::Blob { hash: [0x56; 32], len: 300_000 }),
            origin: origin(MemoryDoor::Api),
        }),
    ]
}

/// What was asked of it, shown of it, and done for its order.
fn asked() -> Vec<Body> {
    vec![
        Body::MemoryRead(MemoryRead {
            branch: "branch".into(),
            query: MemoryQuery::Archival {
                query: free("query"),
                k: 8,
                tags: vec![free("tag")],
                include_ancestors: true,
            },
            results: 3,
            origin: origin(MemoryDoor::Model),
        }),
        Body::UpdatesApplied(UpdatesApplied {
            branch: "branch".into(),
            asked: vec!["core".into(), "archival_search".into()],
            operations: Json("[{\"key\":\"free:operations\",\"type\":\"core_set\"}]".into()),
            began_ms: 1_735_689_600_001,
            ended_ms: 1_735_689_600_023,
            prompt: Some(prompt_place()),
            origin: origin(MemoryDoor::Model),
        }),
        Body::PromptRendered(PromptRendered {
            branch: "branch".into(),
            task_hint: some("hint"),
            budget_chars: 24_000,
            no_limit: true,
            rendered: Content::Inline(free("rendered").into_bytes()),
            rendered_chars: 15_432,
            core_count: 5,
            recall_count: 12,
            archival_count: 8,
            began_ms: 1_735_689_600_001,
            ended_ms: 1_735_689_600_101,
            prompt: Some(prompt_place()),
            origin: origin(MemoryDoor::Api),
        }),
        Body::PressureChecked(PressureChecked {
            branch: "branch".into(),
            level: PressureLevel::High,
            overall_permille: 870,
            core_used: 1_900,
            core_max: 2_000,
            core_entries: 9,
            recall_count: 15,
            recall_max: 20,
            archival_count: 40,
            archival_chars: 80_000,
            recommendations: vec!["evict_core".into()],
            origin: origin(MemoryDoor::Internal),
        }),
        Body::ImportanceEvaluated(ImportanceEvaluated {
            branch: "branch".into(),
            task_hint: some("hint"),
            items: vec![Importance { key: free("key"), score: 5, reason: free("reason") }],
            origin: origin(MemoryDoor::Internal),
        }),
        Body::MemoryConsolidated(MemoryConsolidated {
            branch: "branch".into(),
            level: PressureLevel::Critical,
            new_level: PressureLevel::Medium,
            actions: vec![free("action")],
            freed_chars: 1_200,
            core_evicted: 3,
            recall_consolidated: 11,
            origin: origin(MemoryDoor::Internal),
        }),
    ]
}

/// What frameworks keep in it, and vectors.
fn stated() -> Vec<Body> {
    let (branch, thread) = (|| "branch".to_owned(), || "thread".to_owned());
    let namespace = || vec!["users".to_owned(), "anna".to_owned()];
    vec![
        Body::KvPut(KvPut {
            branch: branch(),
            namespace: namespace(),
            key: "city".into(),
            version: 3,
            value: Json("[\"free:value\",1.50]".into()),
            ttl_ms: Some(90_500),
            origin: origin(MemoryDoor::Api),
        }),
        Body::KvDeleted(KvDeleted {
            branch: branch(),
            namespace: namespace(),
            key: "city".into(),
            version: 3,
            origin: origin(MemoryDoor::Api),
        }),
        Body::MessageAppended(MessageAppended {
            branch: branch(),
            thread: thread(),
            number: 251,
            role: "user".into(),
            content: Json("{\"text\":\"free:content\"}".into()),
            origin: origin(MemoryDoor::Api),
        }),
        Body::MessagePopped(MessagePopped {
            branch: branch(),
            thread: thread(),
            number: 251,
            origin: origin(MemoryDoor::Api),
        }),
        Body::ThreadCleared(ThreadCleared {
            branch: branch(),
            thread: thread(),
            messages: 250,
            origin: origin(MemoryDoor::Api),
        }),
        Body::MemoryEmbedded(MemoryEmbedded {
            branch: "branch".into(),
            record: 66_000,
            model: free("model"),
            vector: vec![0x7f, 0, 0x81],
            origin: origin(MemoryDoor::Api),
        }),
    ]
}
