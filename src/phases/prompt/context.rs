//! What a prompt is put together from.

/// What a prompt is put together from; what is empty or `None` has no section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptContext {
    /// `memory.enabled`: which texts are taken.
    pub memory: bool,
    /// The research idea.
    pub idea: String,
    /// The program of the parent: to be corrected, improved, or varied.
    pub code: String,
    /// What the parent printed.
    pub output: String,
    pub plot_feedback: Option<String>,
    pub time_feedback: Option<String>,
    /// The parameter to study, or the part to take away.
    pub variation: String,
    /// What the workspace is called where commands run; empty: `/workspace`.
    pub workspace: String,
    /// Facts about where commands run, a line each.
    pub environment: Vec<String>,
    /// What was planned before the first node.
    pub phase0_plan: Option<String>,
}
