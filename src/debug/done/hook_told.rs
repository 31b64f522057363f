//! What a hook did.

/// What a hook of the contract's schema did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookTold {
    /// `on_failure.check_similar_past_issues`
    pub hook: String,
    /// What it came to, one line. The same as in the journal's HookRan.
    pub outcome: String,
    /// Why what the settings name for it failed; the recording stands.
    pub failed: Option<String>,
}
