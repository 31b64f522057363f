//! The lines of what was read, shown to a model or asked by it, and of the memory's care.

use serde_json::value::RawValue;

use super::{Call, Layer, Out, chars, details, preview};
use crate::event::{
    ImportanceEvaluated, MemoryConsolidated, MemoryQuery, MemoryRead, PressureChecked,
    PromptRendered, UpdatesApplied, VlmAnalysisCompleted,
};
use crate::memory::update::{Operation, operations, seconds};
use crate::store::StoreError;

type Done = Result<(), StoreError>;

pub(super) fn read(body: &MemoryRead, out: &mut Out<'_>) -> Done {
    let MemoryQuery::Archival { query, k, tags, include_ancestors } = &body.query else {
        return Ok(());
    };
    let op = "retrieve_archival";
    let call = Call::new(op, Layer::Primitive, "archival", &body.branch, &body.origin);
    out.line(
        call,
        details::Retrieved {
            query,
            k: *k,
            results: body.results,
            include_ancestors: *include_ancestors,
            tags_filter: tags,
        },
    )
}

/// `false` where the operations are not the list that they must be: then none are told.
pub(super) fn applied(body: &UpdatesApplied, out: &mut Out<'_>) -> Result<bool, StoreError> {
    let read = operations(&body.operations.0);
    let is_sound = read.is_some();
    let done = read.unwrap_or_default();
    let asked = |key: &str| body.asked.iter().any(|asked| asked == key);
    let (op, kind) = ("apply_llm_memory_updates", "llm_update");
    let call = Call::new(op, Layer::System, kind, &body.branch, &body.origin);
    out.line(
        call,
        details::Applied {
            core_keys: keys(&done, "core_set"),
            core_delete_keys: keys(&done, "core_delete"),
            core_get_keys: keys(&done, "core_get"),
            archival_count: count(&done, "archival_write"),
            archival_update_count: count(&done, "archival_update"),
            has_archival_search: asked("archival_search"),
            has_recall: asked("recall"),
            has_recall_search: asked("recall_search"),
            has_recall_evict: asked("recall_evict"),
            has_recall_summarize: asked("recall_summarize"),
            has_consolidate: asked("consolidate"),
            start_timestamp: seconds(body.began_ms),
            end_timestamp: seconds(body.ended_ms),
            duration_seconds: seconds(body.ended_ms.saturating_sub(body.began_ms)),
            operations_log: &done,
        },
    )?;
    Ok(is_sound)
}

fn keys<'a>(done: &[Operation<'a>], kind: &str) -> Vec<&'a RawValue> {
    done.iter().filter(|operation| operation.is(kind)).flat_map(Operation::keys).collect()
}

fn count(done: &[Operation<'_>], kind: &str) -> usize {
    done.iter().filter(|operation| operation.is(kind)).count()
}

pub(super) fn rendered(body: &PromptRendered, out: &mut Out<'_>) -> Done {
    let op = "render_for_prompt";
    let call = Call::new(op, Layer::System, "prompt", &body.branch, &body.origin);
    out.line(
        call,
        details::Rendered {
            budget_chars: (!body.no_limit).then_some(body.budget_chars),
            task_hint: body.task_hint.as_deref(),
            core_count: body.core_count,
            recall_count: body.recall_count,
            archival_count: body.archival_count,
            rendered_chars: body.rendered_chars,
            start_timestamp: seconds(body.began_ms),
            end_timestamp: seconds(body.ended_ms),
            duration_seconds: seconds(body.ended_ms.saturating_sub(body.began_ms)),
        },
    )
}

pub(super) fn pressure(body: &PressureChecked, out: &mut Out<'_>) -> Done {
    let op = "check_memory_pressure";
    let call = Call::new(op, Layer::Internal, "pressure", &body.branch, &body.origin);
    out.line(
        call,
        details::Pressure {
            pressure_level: body.level.as_str(),
            // Thousandths, as the reference rounds it.
            overall_ratio: seconds(body.overall_permille),
            core_ratio: ratio(body.core_used, body.core_max).min(1.0),
            recall_ratio: ratio(body.recall_count, body.recall_max).min(2.0),
            recommendations: &body.recommendations,
        },
    )
}

fn ratio(used: u64, max: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of characters and events")]
    let (used, max) = (used as f64, max as f64);
    if max > 0.0 { used / max } else { 0.0 }
}

pub(super) fn evaluated(body: &ImportanceEvaluated, out: &mut Out<'_>) -> Done {
    let (op, kind) = ("evaluate_importance_with_llm", "importance");
    let call = Call::new(op, Layer::Internal, kind, &body.branch, &body.origin);

    out.line(
        call,
        details::Evaluated {
            item_count: body.items.len(),
            task_hint: body.task_hint.as_deref(),
            results_count: body.items.len(),
            results: body.items.iter().map(score).collect(),
        },
    )
}

fn score(item: &crate::event::Importance) -> details::Score<'_> {
    details::Score { key: &item.key, score: item.score, reason: &item.reason }
}

pub(super) fn auto_consolidated(body: &MemoryConsolidated, out: &mut Out<'_>) -> Done {
    let (op, kind) = ("auto_consolidate_memory", "consolidation");
    let call = Call::new(op, Layer::Internal, kind, &body.branch, &body.origin);
    out.line(
        call,
        details::AutoConsolidated {
            pressure_level: body.level.as_str(),
            actions_taken: &body.actions,
            freed_chars: body.freed_chars,
            core_items_evicted: body.core_evicted,
            recall_events_consolidated: body.recall_consolidated,
            new_pressure_level: body.new_level.as_str(),
        },
    )
}

pub(super) fn analysed(body: &VlmAnalysisCompleted, out: &mut Out<'_>) -> Done {
    let place = &body.place;
    let call = Call {
        op: "vlm_analysis_complete",
        layer: Layer::Internal,
        memory_type: "vlm",
        branch: &place.branch,
        node: Some(&place.node),
        phase: None,
        run: Some(&place.experiment.run),
    };
    out.line(
        call,
        details::Analysed {
            plots: body.plots,
            summary_preview: preview(&body.summary),
            summary_chars: chars(&body.summary),
        },
    )
}
