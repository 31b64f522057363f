//! Any event of branch memory.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::round_trip::{content, execution, maybe, text, texts};
use crate::event::*;

pub(super) fn origin() -> impl Strategy<Value = MemoryOrigin> {
    let by = prop_oneof![
        Just(MemoryDoor::Primitive),
        Just(MemoryDoor::Api),
        Just(MemoryDoor::Model),
        Just(MemoryDoor::Internal),
        Just(MemoryDoor::Import)
    ];
    (by, maybe(), maybe(), maybe(), option::of(execution())).prop_map(
        |(by, run, node, phase, execution)| MemoryOrigin { by, run, node, phase, execution },
    )
}

fn ids() -> impl Strategy<Value = Vec<u64>> {
    vec(any::<u64>(), 0..4)
}

pub(super) fn experiment() -> impl Strategy<Value = Experiment> {
    (text(), any::<u64>(), text()).prop_map(|(run, index, name)| Experiment { run, index, name })
}

pub(super) fn prompt_place() -> impl Strategy<Value = PromptPlace> {
    (experiment(), [text(), text(), text()], any::<[u64; 2]>()).prop_map(
        |(experiment, [session, stage, label], [counter, round])| PromptPlace {
            experiment,
            session,
            stage,
            label,
            counter,
            round,
        },
    )
}

fn forked() -> impl Strategy<Value = BranchForked> {
    let copied = (text(), any::<u64>())
        .prop_map(|(branch, through_sequence)| CopiedFrom { branch, through_sequence });
    (text(), maybe(), maybe(), any::<bool>(), option::of(copied), origin()).prop_map(
        |(branch, parent, node, auto_created, copied_from, origin)| BranchForked {
            branch,
            parent,
            node,
            auto_created,
            copied_from,
            origin,
        },
    )
}

fn core_body() -> impl Strategy<Value = Body> {
    let cause = prop_oneof![Just(EvictionCause::Budget), Just(EvictionCause::Consolidation)];
    prop_oneof![
        ([text(), text(), text()], any::<u8>(), maybe(), origin()).prop_map(
            |([branch, key, value], importance, ttl, origin)| {
                Body::CoreSet(CoreSet { branch, key, value, importance, ttl, origin })
            }
        ),
        ([text(), text(), text()], origin()).prop_map(|([branch, key, reason], origin)| {
            Body::CoreDeleted(CoreDeleted { branch, key, reason, origin })
        }),
        ([text(), text()], any::<u64>(), any::<u8>(), cause, origin()).prop_map(
            |([branch, key], record, importance, cause, origin)| {
                Body::CoreEvicted(CoreEvicted { branch, key, record, importance, cause, origin })
            }
        ),
    ]
}

fn appended() -> impl Strategy<Value = RecallAppended> {
    let told = ([text(), text(), text()], texts(), maybe());
    (any::<u64>(), told, any::<Option<u64>>(), origin()).prop_map(
        |(id, ([branch, kind, text], tags, task_hint), memory_size, origin)| RecallAppended {
            id,
            branch,
            kind,
            text,
            tags,
            task_hint,
            memory_size,
            origin,
        },
    )
}

fn recall_body() -> impl Strategy<Value = Body> {
    let own = (text(), ids(), any::<u64>()).prop_map(|(kind, ids, record)| RecallGroup {
        kind,
        ids,
        record,
    });
    let inherited =
        ([text(), text()], ids(), any::<u64>()).prop_map(|([kind, summary], ids, summary_id)| {
            InheritedGroup { kind, ids, summary_id, summary }
        });
    prop_oneof![
        appended().prop_map(Body::RecallAppended),
        (text(), ids(), ids(), origin()).prop_map(|(branch, ids, records, origin)| {
            Body::RecallEvicted(RecallEvicted { branch, ids, records, origin })
        }),
        (text(), any::<[u64; 2]>(), vec(own, 0..3), origin()).prop_map(
            |(branch, [total, kept], groups, origin)| {
                Body::RecallConsolidated(RecallConsolidated { branch, total, kept, groups, origin })
            }
        ),
        (text(), any::<[u64; 3]>(), vec(inherited, 0..3), origin()).prop_map(
            |(branch, [total, kept, ancestors], groups, origin)| {
                let moved =
                    InheritedConsolidated { branch, total, kept, ancestors, groups, origin };
                Body::InheritedConsolidated(moved)
            }
        ),
    ]
}

/// What was written.
pub(super) fn memory_body() -> impl Strategy<Value = Body> {
    let whole = || option::of(content());
    prop_oneof![
        1 => forked().prop_map(Body::BranchForked).boxed(),
        3 => core_body().boxed(),
        4 => recall_body().boxed(),
        1 => (any::<u64>(), [text(), text()], texts(), whole(), origin())
            .prop_map(|(id, [branch, text], tags, whole, origin)| {
                Body::ArchivalWritten(ArchivalWritten { id, branch, text, tags, whole, origin })
            })
            .boxed(),
        1 => (any::<u64>(), text(), maybe(), option::of(texts()), whole(), origin())
            .prop_map(|(id, branch, text, tags, whole, origin)| {
                Body::ArchivalUpdated(ArchivalUpdated { id, branch, text, tags, whole, origin })
            })
            .boxed(),
    ]
}

fn query() -> impl Strategy<Value = MemoryQuery> {
    prop_oneof![
        texts().prop_map(|keys| MemoryQuery::Core { keys }),
        (text(), any::<u64>()).prop_map(|(query, k)| MemoryQuery::Recall { query, k }),
        (text(), any::<u64>(), texts(), any::<bool>()).prop_map(
            |(query, k, tags, include_ancestors)| {
                MemoryQuery::Archival { query, k, tags, include_ancestors }
            }
        ),
        any::<u64>().prop_map(|id| MemoryQuery::Record { id }),
        text().prop_map(|scope| MemoryQuery::Node { scope }),
    ]
}

fn level() -> impl Strategy<Value = PressureLevel> {
    prop_oneof![
        Just(PressureLevel::Low),
        Just(PressureLevel::Medium),
        Just(PressureLevel::High),
        Just(PressureLevel::Critical)
    ]
}

fn rendered() -> impl Strategy<Value = PromptRendered> {
    let asked = (text(), maybe(), any::<bool>(), content());
    (asked, any::<[u64; 7]>(), option::of(prompt_place()), origin()).prop_map(
        |((branch, task_hint, no_limit, rendered), numbers, prompt, origin)| {
            let [budget_chars, rendered_chars, core_count, recall_count, ..] = numbers;
            let [.., archival_count, began_ms, ended_ms] = numbers;
            PromptRendered {
                branch,
                task_hint,
                budget_chars,
                no_limit,
                rendered,
                rendered_chars,
                core_count,
                recall_count,
                archival_count,
                began_ms,
                ended_ms,
                prompt,
                origin,
            }
        },
    )
}

fn pressure() -> impl Strategy<Value = PressureChecked> {
    (text(), level(), any::<[u64; 8]>(), texts(), origin()).prop_map(
        |(branch, level, numbers, recommendations, origin)| {
            let [overall_permille, core_used, core_max, core_entries, ..] = numbers;
            let [.., recall_count, recall_max, archival_count, archival_chars] = numbers;
            PressureChecked {
                branch,
                level,
                overall_permille,
                core_used,
                core_max,
                core_entries,
                recall_count,
                recall_max,
                archival_count,
                archival_chars,
                recommendations,
                origin,
            }
        },
    )
}

/// What was read, shown, and done for order.
pub(super) fn care_body() -> impl Strategy<Value = Body> {
    let importance = (text(), any::<u8>(), text()).prop_map(|(key, score, reason)| Importance {
        key,
        score,
        reason,
    });
    let updates = (text(), texts(), text().prop_map(Json), any::<[u64; 2]>());
    let evaluated = (text(), maybe(), vec(importance, 0..3), origin());
    let embedded = (text(), any::<u64>(), text(), vec(any::<u8>(), 0..9), origin());
    let consolidated = (text(), level(), level(), texts(), any::<[u64; 3]>(), origin());
    prop_oneof![
        (text(), query(), any::<u64>(), origin())
            .prop_map(|(branch, query, results, origin)| {
                Body::MemoryRead(MemoryRead { branch, query, results, origin })
            })
            .boxed(),
        (updates, option::of(prompt_place()), origin())
            .prop_map(|((branch, asked, operations, [began_ms, ended_ms]), prompt, origin)| {
                Body::UpdatesApplied(UpdatesApplied {
                    branch,
                    asked,
                    operations,
                    began_ms,
                    ended_ms,
                    prompt,
                    origin,
                })
            })
            .boxed(),
        rendered().prop_map(Body::PromptRendered).boxed(),
        pressure().prop_map(Body::PressureChecked).boxed(),
        evaluated.prop_map(|(branch, task_hint, items, origin)| {
            Body::ImportanceEvaluated(ImportanceEvaluated { branch, task_hint, items, origin })
        }),
        embedded.prop_map(|(branch, record, model, vector, origin)| {
            Body::MemoryEmbedded(MemoryEmbedded { branch, record, model, vector, origin })
        }),
        consolidated.prop_map(|(branch, level, new_level, actions, numbers, origin)| {
            let [freed_chars, core_evicted, recall_consolidated] = numbers;
            Body::MemoryConsolidated(MemoryConsolidated {
                branch,
                level,
                new_level,
                actions,
                freed_chars,
                core_evicted,
                recall_consolidated,
                origin,
            })
        }),
    ]
}
