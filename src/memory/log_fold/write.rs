//! The lines of what was written, moved or deleted.

use super::{Call, Layer, Out, chars, details, preview};
use crate::event::{
    ArchivalUpdated, ArchivalWritten, CoreDeleted, CoreEvicted, CoreSet, InheritedConsolidated,
    MemoryDoor, RecallAppended, RecallConsolidated, RecallEvicted,
};
use crate::store::StoreError;

type Done = Result<(), StoreError>;

/// Whether an operation came beneath the public functions.
fn is_beneath(by: MemoryDoor) -> bool {
    matches!(by, MemoryDoor::Primitive | MemoryDoor::Import)
}

pub(super) fn set(body: &CoreSet, out: &mut Out<'_>) -> Done {
    let op = match body.origin.by {
        MemoryDoor::Model => "llm_memory_update",
        _ => "set_core",
    };
    let call = Call::new(op, Layer::Primitive, "core", &body.branch, &body.origin);
    out.line(
        call,
        details::Set {
            key: &body.key,
            value_preview: preview(&body.value),
            value_chars: chars(&body.value),
            importance: body.importance,
            ttl: body.ttl.as_deref(),
        },
    )
}

pub(super) fn deleted(body: &CoreDeleted, out: &mut Out<'_>) -> Done {
    let call = Call::new("core_delete", Layer::Primitive, "core", &body.branch, &body.origin);
    out.line(call, details::Deleted { key: &body.key, reason: &body.reason })
}

pub(super) fn evicted(body: &CoreEvicted, out: &mut Out<'_>) -> Done {
    let call = Call::new("core_evict", Layer::Primitive, "core", &body.branch, &body.origin);
    out.line(
        call,
        details::Evicted {
            key: &body.key,
            reason: body.cause.as_str(),
            record_id: body.record,
            importance: body.importance,
        },
    )
}

pub(super) fn appended(body: &RecallAppended, out: &mut Out<'_>) -> Done {
    let (op, layer) = match is_beneath(body.origin.by) {
        true => ("write_event", Layer::Primitive),
        false => ("mem_recall_append", Layer::PublicApi),
    };
    let call = Call::new(op, layer, "recall", &body.branch, &body.origin);
    out.line(
        call,
        details::Appended {
            kind: &body.kind,
            summary_preview: preview(&body.text),
            tags: &body.tags,
        },
    )
}

pub(super) fn recall_evicted(body: &RecallEvicted, out: &mut Out<'_>) -> Done {
    let call = Call::new("recall_evict", Layer::Internal, "recall", &body.branch, &body.origin);
    out.line(
        call,
        details::RecallEvicted {
            event_ids: &body.ids,
            record_ids: &body.records,
            evicted_count: body.ids.len(),
            archived_count: body.records.len(),
        },
    )
}

pub(super) fn consolidated(body: &RecallConsolidated, out: &mut Out<'_>) -> Done {
    let (op, kind) = ("consolidate_recall_events", "consolidation");
    let call = Call::new(op, Layer::Internal, kind, &body.branch, &body.origin);
    let moved: usize = body.groups.iter().map(|group| group.ids.len()).sum();
    out.line(
        call,
        details::Consolidated {
            total_events: body.total,
            events_kept: body.kept,
            events_consolidated: moved as u64,
            groups_processed: body.groups.len(),
        },
    )
}

pub(super) fn inherited(body: &InheritedConsolidated, out: &mut Out<'_>) -> Done {
    let (op, kind) = ("consolidate_inherited_memory", "consolidation");
    let call = Call::new(op, Layer::Internal, kind, &body.branch, &body.origin);
    let moved: usize = body.groups.iter().map(|group| group.ids.len()).sum();
    out.line(
        call,
        details::Inherited {
            total_inherited_events: body.total,
            events_kept: body.kept,
            events_consolidated: moved as u64,
            groups_processed: body.groups.len(),
            ancestor_branches: body.ancestors,
        },
    )
}

pub(super) fn written(body: &ArchivalWritten, out: &mut Out<'_>) -> Done {
    let (op, layer) = match body.origin.by {
        MemoryDoor::Primitive | MemoryDoor::Import | MemoryDoor::Internal => {
            ("write_archival", Layer::Primitive)
        }
        MemoryDoor::Api | MemoryDoor::Model => ("mem_archival_write", Layer::PublicApi),
    };
    let call = Call::new(op, layer, "archival", &body.branch, &body.origin);
    out.line(
        call,
        details::Written {
            record_id: body.id,
            tags: &body.tags,
            text_preview: preview(&body.text),
            text_chars: chars(&body.text),
        },
    )
}

pub(super) fn updated(body: &ArchivalUpdated, out: &mut Out<'_>) -> Done {
    let op = "mem_archival_update";
    let call = Call::new(op, Layer::PublicApi, "archival", &body.branch, &body.origin);
    out.line(
        call,
        details::Updated {
            record_id: body.id,
            tags: body.tags.as_deref(),
            text_preview: body.text.as_deref().map(preview),
            text_chars: body.text.as_deref().map(chars),
        },
    )
}
