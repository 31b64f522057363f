//! A session in a list, and whose it is.

use crate::execution::query::SessionSummary;

/// A session in a list, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// The journal's place in the feed.
    pub journal: usize,
    /// What the journal is called, where there are several.
    pub name: Option<String>,
    pub session: SessionSummary,
}

impl SessionRow {
    /// What tells it from others: its title, else its first prompt, else the agent's name for it.
    pub fn title(&self) -> &str {
        let session = &self.session;
        session.title.as_ref().or(session.first_prompt.as_ref()).unwrap_or(&session.native_id)
    }

    /// The beginning of its id.
    pub fn short_id(&self) -> String {
        self.session.id.to_string().chars().take(8).collect()
    }
}
