//! Generated events of branch memory and of phases: few branches, keys and numbers, so that many name
//! what is not there, or is another's.

use proptest::prelude::*;

use crate::event::{
    ArchivalUpdated, ArchivalWritten, Body, BranchForked, Content, CoreDeleted, CoreEvicted,
    CoreSet, EvictionCause, Experiment, Importance, ImportanceEvaluated, InheritedConsolidated,
    InheritedGroup, Json, KvDeleted, KvPut, MemoryOrigin, MemoryQuery, MemoryRead, MessageAppended,
    MessagePopped, NodePlace, NodeResultRecorded, PhaseFailed, PhaseName, RecallAppended,
    RecallConsolidated, RecallEvicted, RecallGroup, ThreadCleared,
};

const BRANCHES: [&str; 5] = ["root", "a", "b", "c", "größe\0"];
const WORDS: [&str; 6] = ["apple", "pear tree", "größe", "RÉSUMÉ", "a-b_c", "\0\"\\\n"];

fn any_branch() -> impl Strategy<Value = String> {
    prop::sample::select(&BRANCHES[..]).prop_map(str::to_owned)
}

fn any_text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), 0..4).prop_map(|words| words.join(" "))
}

fn any_tags() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_text(), 0..3)
}

/// Small ones, and those that no row can have.
fn any_id() -> impl Strategy<Value = u64> {
    prop_oneof![12 => 1..12_u64, 1 => prop::sample::select(&[0, i64::MAX as u64, u64::MAX][..])]
}

fn any_ids() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(any_id(), 0..4)
}

fn any_origin() -> impl Strategy<Value = MemoryOrigin> {
    use crate::event::MemoryDoor::{Api, Import, Internal, Model, Primitive};
    let doors = &[Primitive, Api, Model, Internal, Import][..];
    prop::sample::select(doors).prop_map(MemoryOrigin::by)
}

fn json_of(text: &str) -> Json {
    Json(serde_json::json!(text).to_string())
}

/// One of the kinds that change something, or one that does not.
fn any_of_memory() -> impl Strategy<Value = Body> {
    let at = || (any_branch(), any_origin());
    let key = || prop::sample::select(&["k1", "k2"][..]).prop_map(str::to_owned);
    prop_oneof![
        3 => (at(), prop::option::of(any_branch())).prop_map(|((branch, origin), parent)| {
            let node = Some(format!("node of {branch}"));
            let (auto_created, copied_from) = (false, None);
            let forked =
                BranchForked { branch, parent, node, auto_created, copied_from, origin };
            Body::BranchForked(forked)
        }),
        4 => (at(), key(), any_text(), 1..6_u8, prop::option::of("[0-9x.]{1,3}")).prop_map(
            |((branch, origin), key, value, importance, ttl)| {
                Body::CoreSet(CoreSet { branch, key, value, importance, ttl, origin })
            }
        ),
        1 => (at(), key()).prop_map(|((branch, origin), key)| {
            let reason = "asked for".to_owned();
            Body::CoreDeleted(CoreDeleted { branch, key, reason, origin })
        }),
        1 => (at(), key(), any_id()).prop_map(|((branch, origin), key, record)| {
            let (importance, cause) = (3, EvictionCause::Budget);
            Body::CoreEvicted(CoreEvicted { branch, key, record, importance, cause, origin })
        }),
        4 => (at(), any_id(), any_text(), any_tags()).prop_map(
            |((branch, origin), id, text, tags)| {
                let (kind, task_hint) = ("note".to_owned(), (id % 2 == 0).then(|| text.clone()));
                let memory_size = (id % 3 == 0).then_some(id);
                Body::RecallAppended(RecallAppended {
                    id, branch, kind, text, tags, task_hint, memory_size, origin,
                })
            }
        ),
        1 => (at(), any_ids()).prop_map(|((branch, origin), ids)| {
            let records = ids.clone();
            Body::RecallEvicted(RecallEvicted { branch, ids, records, origin })
        }),
        1 => (at(), any_ids(), any_ids()).prop_map(|((branch, origin), one, two)| {
            let group = |ids, record| RecallGroup { kind: "note".to_owned(), ids, record };
            let groups = vec![group(one, 1), group(two, 2)];
            let (total, kept) = (9, 1);
            Body::RecallConsolidated(RecallConsolidated { branch, total, kept, groups, origin })
        }),
        2 => (at(), any_ids(), any_id(), any_id(), any_text()).prop_map(
            |((branch, origin), ids, one, two, summary)| {
                let group = |summary_id| InheritedGroup {
                    kind: "note".to_owned(),
                    ids: ids.clone(),
                    summary_id,
                    summary: summary.clone(),
                };
                let groups = vec![group(one), group(two)];
                Body::InheritedConsolidated(InheritedConsolidated {
                    branch, total: 9, kept: 1, ancestors: 1, groups, origin,
                })
            }
        ),
        4 => (at(), any_id(), any_text(), any_tags()).prop_map(
            |((branch, origin), id, text, tags)| {
                let whole = (id == 3).then(|| Content::Inline(vec![b'x'; 5_000]));
                Body::ArchivalWritten(ArchivalWritten { id, branch, text, tags, whole, origin })
            }
        ),
        2 => (at(), any_id(), prop::option::of(any_text()), prop::option::of(any_tags())).prop_map(
            |((branch, origin), id, text, tags)| {
                let whole = None;
                Body::ArchivalUpdated(ArchivalUpdated { id, branch, text, tags, whole, origin })
            }
        ),
        1 => (at(), key(), 1..6_u8).prop_map(|((branch, origin), key, score)| {
            let items = vec![Importance { key, score, reason: String::new() }];
            let task_hint = None;
            Body::ImportanceEvaluated(ImportanceEvaluated { branch, task_hint, items, origin })
        }),
        3 => (at(), key(), any_id(), any_text(), prop::option::of(any_id())).prop_map(
            |((branch, origin), key, version, text, ttl_ms)| {
                let (namespace, value) = (vec![text.clone()], json_of(&text));
                Body::KvPut(KvPut { branch, namespace, key, version, value, ttl_ms, origin })
            }
        ),
        1 => (at(), key(), any_id()).prop_map(|((branch, origin), key, version)| {
            let namespace = Vec::new();
            Body::KvDeleted(KvDeleted { branch, namespace, key, version, origin })
        }),
        3 => (at(), key(), any_id(), any_text()).prop_map(
            |((branch, origin), thread, number, text)| {
                let (role, content) = ("user".to_owned(), json_of(&text));
                Body::MessageAppended(MessageAppended {
                    branch, thread, number, role, content, origin,
                })
            }
        ),
        1 => (at(), key(), any_id()).prop_map(|((branch, origin), thread, number)| {
            Body::MessagePopped(MessagePopped { branch, thread, number, origin })
        }),
        1 => (at(), key()).prop_map(|((branch, origin), thread)| {
            Body::ThreadCleared(ThreadCleared { branch, thread, messages: 1, origin })
        }),
        1 => at().prop_map(|(branch, origin)| {
            let query = MemoryQuery::Core { keys: Vec::new() };
            Body::MemoryRead(MemoryRead { branch, query, results: 1, origin })
        }),
    ]
}

fn any_of_phases() -> impl Strategy<Value = Body> {
    (any_branch(), prop::sample::select(PhaseName::ALL), any::<bool>()).prop_map(
        |(branch, phase, ended)| {
            let experiment = Experiment { run: "run".to_owned(), index: 0, name: "x".to_owned() };
            let place = NodePlace { experiment, node: format!("node of {branch}"), branch };
            let error = "it went wrong".to_owned();
            match ended {
                true => Body::NodeResultRecorded(NodeResultRecorded {
                    place,
                    is_buggy: true,
                    metric: None,
                    exec_time_ms: 1,
                    error: Some(error),
                }),
                false => Body::PhaseFailed(PhaseFailed {
                    place,
                    phase,
                    log: Content::Inline(b"log".to_vec()),
                    executions: Vec::new(),
                    duration_ms: 1,
                    error,
                }),
            }
        },
    )
}

/// An event of branch memory, seldom one of a phase.
pub fn any_remembered() -> impl Strategy<Value = Body> {
    prop_oneof![8 => any_of_memory(), 1 => any_of_phases()]
}
