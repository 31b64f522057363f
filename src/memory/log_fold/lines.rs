//! The lines: what each operation tells of itself, in the order the reference writes it.

use serde_json::value::RawValue;

use super::{Details, Layer, Line, chars, preview};
use crate::event::wire::seconds_of;
use crate::event::{
    ArchivalUpdated, ArchivalWritten, BranchForked, CoreDeleted, CoreEvicted, CoreSet, Importance,
    ImportanceEvaluated, InheritedConsolidated, MemoryConsolidated, MemoryDoor, MemoryOrigin,
    MemoryQuery, MemoryRead, PressureChecked, PromptRendered, RecallAppended, RecallConsolidated,
    RecallEvicted, UpdatesApplied, VlmAnalysisCompleted,
};
use crate::memory::update::{Operation, operations};

// What was written, moved or deleted.

/// `None` where it was made beneath the public functions.
pub(super) fn forked(body: &BranchForked, parent_auto_created: bool) -> Option<Line<'_>> {
    if matches!(body.origin.by, MemoryDoor::Primitive | MemoryDoor::Import) {
        return None;
    }
    let mut line = Line::new("mem_node_fork", Layer::PublicApi, "node", &body.branch, &body.origin)
        .and("parent_node_id", &body.parent)
        .and("parent_branch_id", &body.parent)
        .and("child_branch_id", &body.branch)
        .and("parent_auto_created", parent_auto_created);
    line.node_id = line.node_id.or(body.node.as_deref());
    Some(match &body.copied_from {
        None => line,
        Some(from) => {
            #[derive(serde::Serialize)]
            struct Copied<'a> {
                branch_id: &'a str,
                through_sequence: u64,
            }
            let (branch_id, through_sequence) = (from.branch.as_str(), from.through_sequence);
            line.and("copied_from", Copied { branch_id, through_sequence })
        }
    })
}

pub(super) fn set(body: &CoreSet) -> Line<'_> {
    let op = match body.origin.by {
        MemoryDoor::Model => "llm_memory_update",
        _ => "set_core",
    };
    Line::new(op, Layer::Primitive, "core", &body.branch, &body.origin)
        .and("key", &body.key)
        .and("value_preview", preview(&body.value))
        .and("value_chars", chars(&body.value))
        .and("importance", body.importance)
        .and("ttl", &body.ttl)
}

pub(super) fn deleted(body: &CoreDeleted) -> Line<'_> {
    Line::new("core_delete", Layer::Primitive, "core", &body.branch, &body.origin)
        .and("key", &body.key)
        .and("reason", &body.reason)
}

pub(super) fn evicted(body: &CoreEvicted) -> Line<'_> {
    Line::new("core_evict", Layer::Primitive, "core", &body.branch, &body.origin)
        .and("key", &body.key)
        .and("reason", body.cause.as_str())
        .and("record_id", body.record)
        .and("importance", body.importance)
}

pub(super) fn appended(body: &RecallAppended) -> Line<'_> {
    let (op, layer) = match body.origin.by {
        MemoryDoor::Primitive | MemoryDoor::Import => ("write_event", Layer::Primitive),
        _ => ("mem_recall_append", Layer::PublicApi),
    };
    Line::new(op, layer, "recall", &body.branch, &body.origin)
        .and("kind", &body.kind)
        .and("summary_preview", preview(&body.text))
        .and("tags", &body.tags)
}

pub(super) fn recall_evicted(body: &RecallEvicted) -> Line<'_> {
    Line::new("recall_evict", Layer::Internal, "recall", &body.branch, &body.origin)
        .and("event_ids", &body.ids)
        .and("record_ids", &body.records)
        .and("evicted_count", body.ids.len())
        .and("archived_count", body.records.len())
}

pub(super) fn consolidated(body: &RecallConsolidated) -> Line<'_> {
    let moved: usize = body.groups.iter().map(|group| group.ids.len()).sum();
    consolidation("consolidate_recall_events", &body.branch, &body.origin)
        .and("total_events", body.total)
        .and("events_kept", body.kept)
        .and("events_consolidated", moved)
        .and("groups_processed", body.groups.len())
}

pub(super) fn inherited(body: &InheritedConsolidated) -> Line<'_> {
    let moved: usize = body.groups.iter().map(|group| group.ids.len()).sum();
    consolidation("consolidate_inherited_memory", &body.branch, &body.origin)
        .and("total_inherited_events", body.total)
        .and("events_kept", body.kept)
        .and("events_consolidated", moved)
        .and("groups_processed", body.groups.len())
        .and("ancestor_branches", body.ancestors)
}

fn consolidation<'a>(op: &'static str, branch: &'a str, origin: &'a MemoryOrigin) -> Line<'a> {
    Line::new(op, Layer::Internal, "consolidation", branch, origin)
}

pub(super) fn written(body: &ArchivalWritten) -> Line<'_> {
    let (op, layer) = match body.origin.by {
        MemoryDoor::Primitive | MemoryDoor::Import | MemoryDoor::Internal => {
            ("write_archival", Layer::Primitive)
        }
        MemoryDoor::Api | MemoryDoor::Model => ("mem_archival_write", Layer::PublicApi),
    };
    Line::new(op, layer, "archival", &body.branch, &body.origin)
        .and("record_id", body.id)
        .and("tags", &body.tags)
        .and("text_preview", preview(&body.text))
        .and("text_chars", chars(&body.text))
}

pub(super) fn updated(body: &ArchivalUpdated) -> Line<'_> {
    let op = "mem_archival_update";
    let mut line = Line::new(op, Layer::PublicApi, "archival", &body.branch, &body.origin)
        .and("record_id", body.id);
    if let Some(tags) = &body.tags {
        line = line.and("tags", tags);
    }
    if let Some(text) = &body.text {
        line = line.and("text_preview", preview(text)).and("text_chars", chars(text));
    }
    line
}

// What was read, shown to a model or asked by it, and memory's care.

/// `None` where the document has no operation for it.
pub(super) fn read(body: &MemoryRead) -> Option<Line<'_>> {
    let MemoryQuery::Archival { query, k, tags, include_ancestors } = &body.query else {
        return None;
    };
    let op = "retrieve_archival";
    let line = Line::new(op, Layer::Primitive, "archival", &body.branch, &body.origin)
        .and("query", query)
        .and("k", k)
        .and("results", body.results)
        .and("include_ancestors", include_ancestors)
        .and("tags_filter", tags);
    Some(line)
}

/// With whether the operations are the list that they must be: else none are told.
pub(super) fn applied(body: &UpdatesApplied) -> (Line<'_>, bool) {
    let read = operations(&body.operations.0);
    let is_sound = read.is_some();
    let done = read.unwrap_or_default();
    let asked = |key: &str| body.asked.iter().any(|asked| asked == key);
    let op = "apply_llm_memory_updates";
    let line = Line::new(op, Layer::System, "llm_update", &body.branch, &body.origin)
        .and("core_keys", keys(&done, "core_set"))
        .and("core_delete_keys", keys(&done, "core_delete"))
        .and("core_get_keys", keys(&done, "core_get"))
        .and("archival_count", count(&done, "archival_write"))
        .and("archival_update_count", count(&done, "archival_update"))
        .and("has_archival_search", asked("archival_search"))
        .and("has_recall", asked("recall"))
        .and("has_recall_search", asked("recall_search"))
        .and("has_recall_evict", asked("recall_evict"))
        .and("has_recall_summarize", asked("recall_summarize"))
        .and("has_consolidate", asked("consolidate"))
        .during(body.began_ms, body.ended_ms)
        .and("operations_log", done);
    (line, is_sound)
}

fn keys<'a>(done: &[Operation<'a>], kind: &str) -> Vec<&'a RawValue> {
    done.iter().filter(|operation| operation.is(kind)).flat_map(Operation::keys).collect()
}

fn count(done: &[Operation<'_>], kind: &str) -> usize {
    done.iter().filter(|operation| operation.is(kind)).count()
}

pub(super) fn rendered(body: &PromptRendered) -> Line<'_> {
    Line::new("render_for_prompt", Layer::System, "prompt", &body.branch, &body.origin)
        .and("budget_chars", (!body.no_limit).then_some(body.budget_chars))
        .and("task_hint", &body.task_hint)
        .and("core_count", body.core_count)
        .and("recall_count", body.recall_count)
        .and("archival_count", body.archival_count)
        .and("rendered_chars", body.rendered_chars)
        .during(body.began_ms, body.ended_ms)
}

pub(super) fn pressure(body: &PressureChecked) -> Line<'_> {
    Line::new("check_memory_pressure", Layer::Internal, "pressure", &body.branch, &body.origin)
        .and("pressure_level", body.level)
        // Thousandths, as the reference rounds it.
        .and("overall_ratio", seconds_of(body.overall_permille))
        .and("core_ratio", ratio(body.core_used, body.core_max).min(1.0))
        .and("recall_ratio", ratio(body.recall_count, body.recall_max).min(2.0))
        .and("recommendations", &body.recommendations)
}

fn ratio(used: u64, max: u64) -> f64 {
    if max > 0 { used as f64 / max as f64 } else { 0.0 }
}

pub(super) fn evaluated(body: &ImportanceEvaluated) -> Line<'_> {
    let results: &[Importance] = &body.items;
    let op = "evaluate_importance_with_llm";
    Line::new(op, Layer::Internal, "importance", &body.branch, &body.origin)
        .and("item_count", results.len())
        .and("task_hint", &body.task_hint)
        .and("results_count", results.len())
        .and("results", results)
}

pub(super) fn auto_consolidated(body: &MemoryConsolidated) -> Line<'_> {
    consolidation("auto_consolidate_memory", &body.branch, &body.origin)
        .and("pressure_level", body.level)
        .and("actions_taken", &body.actions)
        .and("freed_chars", body.freed_chars)
        .and("core_items_evicted", body.core_evicted)
        .and("recall_events_consolidated", body.recall_consolidated)
        .and("new_pressure_level", body.new_level)
}

pub(super) fn analysed(body: &VlmAnalysisCompleted) -> Line<'_> {
    let place = &body.place;
    Line {
        op: "vlm_analysis_complete",
        layer: Layer::Internal,
        memory_type: "vlm",
        branch_id: &place.branch,
        node_id: Some(&place.node),
        phase: None,
        run_id: Some(&place.experiment.run),
        details: Details::default(),
    }
    .and("plots", body.plots)
    .and("summary_preview", preview(&body.summary))
    .and("summary_chars", chars(&body.summary))
}
