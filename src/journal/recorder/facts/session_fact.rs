//! What a recorder knows of one session.

use crate::event::{Body, SessionStarted};

/// What a recorder knows of one session.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionFact {
    /// The time of its last event.
    pub last_ms: u64,
    /// All that its `SessionStarted` events have told so far.
    pub started: Option<SessionStarted>,
    pub ended: bool,
}

impl SessionFact {
    pub(super) fn take(&mut self, body: &Body) {
        match body {
            Body::SessionEnded(_) => self.ended = true,
            Body::SessionStarted(started) => match &mut self.started {
                Some(known) => fill(known, started),
                None => self.started = Some(started.clone()),
            },
            _ => (),
        }
    }

    /// Whether a `SessionStarted` tells anything that is not known yet.
    pub(crate) fn learns_from(&self, started: &SessionStarted) -> bool {
        let Some(known) = &self.started else {
            return true;
        };
        let mut filled = known.clone();
        fill(&mut filled, started);
        filled != *known
    }
}

/// A later event fills what earlier ones left empty, and changes nothing else.
fn fill(known: &mut SessionStarted, later: &SessionStarted) {
    let fill = |known: &mut Option<String>, later: &Option<String>| {
        if known.is_none() {
            known.clone_from(later);
        }
    };
    fill(&mut known.agent_version, &later.agent_version);
    fill(&mut known.model, &later.model);
    fill(&mut known.cwd, &later.cwd);
    fill(&mut known.branch, &later.branch);
    fill(&mut known.title, &later.title);
    known.parent = known.parent.or(later.parent);
}
