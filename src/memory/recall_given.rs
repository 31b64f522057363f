//! An event that is to be remembered, as `mem_recall_append` takes it.

/// An event that is to be remembered, as spec 003's "Event dict format" gives it.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecallGiven {
    /// When the caller says it happened, Unix seconds; recorded is when it is told, so that nothing
    /// comes before what was told earlier.
    pub ts: Option<f64>,
    pub run_id: Option<String>,
    pub node_id: Option<String>,
    /// Where it is none's, the branch of `node_id`, else the asked one.
    pub branch_id: Option<String>,
    pub phase: Option<String>,
    /// `event` where it is not given.
    pub kind: Option<String>,
    /// The text.
    #[serde(alias = "text", alias = "content")]
    pub summary: String,
    pub refs: Vec<String>,
    /// Besides those that the rest becomes.
    pub tags: Vec<String>,
    pub task_hint: Option<String>,
    pub memory_size: Option<u64>,
}
