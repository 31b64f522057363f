//! Executions and sessions in a list, each with whose it is; and a list with one line chosen.

use crate::execution::query::{ExecutionSummary, SessionSummary};

/// An execution in a list, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The journal's place in the feed.
    pub journal: usize,
    /// What the journal is called, where there are several.
    pub name: Option<String>,
    pub execution: ExecutionSummary,
}

impl Row {
    /// `#142`; `@4711` where it has no ordinal.
    pub fn no(&self) -> String {
        match self.execution.ordinal {
            Some(ordinal) => format!("#{ordinal}"),
            None => format!("@{}", self.execution.sequence),
        }
    }

    /// As `annals show` takes it.
    pub fn reference(&self) -> String {
        self.no().trim_start_matches('#').to_owned()
    }

    pub fn is_same(&self, other: &Self) -> bool {
        self.journal == other.journal && self.execution.id == other.execution.id
    }
}

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
        session.title.as_ref().unwrap_or(&session.native_id)
    }

    pub fn short_id(&self) -> String {
        self.session.id.to_string().chars().take(8).collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List<T> {
    pub items: Vec<T>,
    /// The chosen one's index; 0 where there is none.
    pub at: usize,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { items: Vec::new(), at: 0 }
    }
}

impl<T> List<T> {
    pub fn chosen(&self) -> Option<&T> {
        self.items.get(self.at)
    }

    /// Whether the last line is chosen, or there is none.
    pub fn is_at_end(&self) -> bool {
        self.at + 1 >= self.items.len()
    }

    pub fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.items.len().saturating_sub(1));
    }

    /// Takes other lines. The last stays chosen where it was, else the one that is the same.
    pub fn replace(&mut self, items: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
        let last = items.len().saturating_sub(1);
        let same = self.chosen().and_then(|old| items.iter().position(|new| is_same(old, new)));
        self.at = match self.is_at_end() {
            true => last,
            false => same.unwrap_or(self.at).min(last),
        };
        self.items = items;
    }
}
