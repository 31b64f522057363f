//! What each operation tells of itself, in the order the reference writes it.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::memory::update::Operation;

#[derive(Serialize)]
pub(super) struct Forked<'a> {
    pub parent_node_id: Option<&'a str>,
    pub parent_branch_id: Option<&'a str>,
    pub child_branch_id: &'a str,
    pub parent_auto_created: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copied_from: Option<Copied<'a>>,
}

#[derive(Serialize)]
pub(super) struct Copied<'a> {
    pub branch_id: &'a str,
    pub through_sequence: u64,
}

#[derive(Serialize)]
pub(super) struct Set<'a> {
    pub key: &'a str,
    pub value_preview: String,
    pub value_chars: u64,
    pub importance: u8,
    pub ttl: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct Deleted<'a> {
    pub key: &'a str,
    pub reason: &'a str,
}

#[derive(Serialize)]
pub(super) struct Evicted<'a> {
    pub key: &'a str,
    pub reason: &'a str,
    pub record_id: u64,
    pub importance: u8,
}

#[derive(Serialize)]
pub(super) struct Appended<'a> {
    pub kind: &'a str,
    pub summary_preview: String,
    pub tags: &'a [String],
}

#[derive(Serialize)]
pub(super) struct RecallEvicted<'a> {
    pub event_ids: &'a [u64],
    pub record_ids: &'a [u64],
    pub evicted_count: usize,
    pub archived_count: usize,
}

#[derive(Serialize)]
pub(super) struct Consolidated {
    pub total_events: u64,
    pub events_kept: u64,
    pub events_consolidated: u64,
    pub groups_processed: usize,
}

#[derive(Serialize)]
pub(super) struct Inherited {
    pub total_inherited_events: u64,
    pub events_kept: u64,
    pub events_consolidated: u64,
    pub groups_processed: usize,
    pub ancestor_branches: u64,
}

#[derive(Serialize)]
pub(super) struct Written<'a> {
    pub record_id: u64,
    pub tags: &'a [String],
    pub text_preview: String,
    pub text_chars: u64,
}

#[derive(Serialize)]
pub(super) struct Updated<'a> {
    pub record_id: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_preview: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_chars: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Retrieved<'a> {
    pub query: &'a str,
    pub k: u64,
    pub results: u64,
    pub include_ancestors: bool,
    pub tags_filter: &'a [String],
}

#[derive(Serialize)]
pub(super) struct Applied<'a> {
    pub core_keys: Vec<&'a RawValue>,
    pub core_delete_keys: Vec<&'a RawValue>,
    pub core_get_keys: Vec<&'a RawValue>,
    pub archival_count: usize,
    pub archival_update_count: usize,
    pub has_archival_search: bool,
    pub has_recall: bool,
    pub has_recall_search: bool,
    pub has_recall_evict: bool,
    pub has_recall_summarize: bool,
    pub has_consolidate: bool,
    pub start_timestamp: f64,
    pub end_timestamp: f64,
    pub duration_seconds: f64,
    pub operations_log: &'a [Operation<'a>],
}

#[derive(Serialize)]
pub(super) struct Rendered<'a> {
    pub budget_chars: Option<u64>,
    pub task_hint: Option<&'a str>,
    pub core_count: u64,
    pub recall_count: u64,
    pub archival_count: u64,
    pub rendered_chars: u64,
    pub start_timestamp: f64,
    pub end_timestamp: f64,
    pub duration_seconds: f64,
}

#[derive(Serialize)]
pub(super) struct Pressure<'a> {
    pub pressure_level: &'static str,
    pub overall_ratio: f64,
    pub core_ratio: f64,
    pub recall_ratio: f64,
    pub recommendations: &'a [String],
}

#[derive(Serialize)]
pub(super) struct Evaluated<'a> {
    pub item_count: usize,
    pub task_hint: Option<&'a str>,
    pub results_count: usize,
    pub results: Vec<Score<'a>>,
}

#[derive(Serialize)]
pub(super) struct Score<'a> {
    pub key: &'a str,
    pub score: u8,
    pub reason: &'a str,
}

#[derive(Serialize)]
pub(super) struct AutoConsolidated<'a> {
    pub pressure_level: &'static str,
    pub actions_taken: &'a [String],
    pub freed_chars: u64,
    pub core_items_evicted: u64,
    pub recall_events_consolidated: u64,
    pub new_pressure_level: &'static str,
}

#[derive(Serialize)]
pub(super) struct Analysed {
    pub plots: u64,
    pub summary_preview: String,
    pub summary_chars: u64,
}
