//! What of the history is shown.

use crate::execution::query::LogFilter;

/// What of the history is shown.
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
