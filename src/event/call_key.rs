//! The identity of a call, whichever door it came by.

use bincode::{Decode, Encode};

/// What makes two reports one execution: agent, scope and the agent's own call id.
///
/// `scope` is the native session where the agent's call ids are unique only within one; `None`
/// where they are unique for good (Claude Code's `toolu_…`), so that a resumed session, which
/// repeats its history under a new session id, doubles nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct CallKey {
    pub agent: String,
    pub scope: Option<String>,
    pub call: String,
}

impl CallKey {
    /// One text for it, as an index wants it: agent, scope (empty where there is none), call,
    /// with a NUL between.
    pub fn to_text(&self) -> String {
        let scope = self.scope.as_deref().unwrap_or_default();
        [&self.agent, scope, &self.call].join("\0")
    }
}
