//! `[repo]`: the memory of repositories (spec 004).

use serde::Deserialize;

/// `[repo]`: the memory of repositories. Characters are Unicode scalar values.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RepoConfig {
    /// The folder that `repos/<repoHash>/` lies in; `~/` is the user's home, anything else that is not
    /// absolute is relative to the project.
    pub home: String,
    /// Whether the end of a step leaves a summary.
    pub summaries: bool,
    /// A command that makes a step's summary: what happened on its input, the summary on its output.
    pub summary_model: Option<String>,
    /// How long it may take, seconds.
    pub summary_timeout_s: u64,
    /// Of one summary.
    pub summary_max_chars: u64,
    /// Of a context pack.
    pub context_max_chars: u64,
    /// The latest summaries that a context pack has at most.
    pub context_summaries: u64,
}

impl Default for RepoConfig {
    fn default() -> Self {
        Self {
            home: "~/.codex-toolloop".to_owned(),
            summaries: true,
            summary_model: None,
            summary_timeout_s: 60,
            summary_max_chars: 2_000,
            context_max_chars: 12_000,
            context_summaries: 8,
        }
    }
}
