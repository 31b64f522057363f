//! For which session a request is.

use crate::cli::session::{AGENT, DEFAULT};
use crate::event::SessionId;
use crate::journal::id;

/// For which session a request is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The agent's name for it; `None` where nobody named one.
    pub session: Option<String>,
}

impl Caller {
    /// The name, that of calls without a session where nobody named one.
    pub fn name(&self) -> &str {
        self.session.as_deref().unwrap_or(DEFAULT)
    }

    pub fn id(&self) -> SessionId {
        id::session(AGENT, self.name())
    }
}
