//! What of the history is shown, and how long ago the timeline was read.

use crate::execution::query::LogFilter;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The contract's name of a tool, or the agent's.
    pub tool: Option<String>,
    /// Only what ran and failed.
    pub failed: bool,
    /// A text in target, arguments, output or error.
    pub text: Option<String>,
}

impl Filter {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same as a question: the newest `last` of a session, or of all.
    pub fn question(&self, session: Option<String>, last: usize) -> LogFilter {
        LogFilter {
            last,
            session,
            tool: self.tool.clone(),
            failed: self.failed,
            grep: self.text.clone(),
            ..LogFilter::default()
        }
    }

    /// In words, as the screen says it.
    pub fn words(&self) -> String {
        let failed = self.failed.then(|| "failed only".to_owned());
        let tool = self.tool.as_ref().map(|tool| format!("tool {tool}"));
        let text = self.text.as_ref().map(|text| format!("text {text:?}"));
        [failed, tool, text].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Whether a read of the timeline still holds. Told by a sign, so that no colour is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Within the window.
    Fresh,
    Stale,
    Never,
}

impl Mark {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Fresh => "✓",
            Self::Stale => "✗",
            Self::Never => "–",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// `2s ago`
    pub text: String,
    pub mark: Mark,
}

impl Since {
    /// Of a read at `read_ms`, seen at `now_ms`, that holds for `window_ms` inclusive.
    pub fn of(read_ms: Option<u64>, now_ms: u64, window_ms: u64) -> Self {
        let Some(read_ms) = read_ms else {
            return Self { text: "never".to_owned(), mark: Mark::Never };
        };
        let age_ms = now_ms.saturating_sub(read_ms);
        let mark = if age_ms <= window_ms { Mark::Fresh } else { Mark::Stale };
        Self { text: format!("{} ago", age(age_ms / 1_000)), mark }
    }
}

fn age(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3_600 => format!("{}m", seconds / 60),
        3_600..86_400 => format!("{}h", seconds / 3_600),
        _ => format!("{}d", seconds / 86_400),
    }
}
