//! Where a part of a journal begins or ends, as people say it, and its place found in the journal.

use std::path::Path;

use super::{Walk, WalkError, What, Window};
use crate::event::{Body, ExecutionId, Recorded, Sequence, SessionId};
use crate::execution::query::Reference;
use crate::journal::Reading;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// An execution, an event, or, by the beginning of its id, a session.
    Reference(Reference),
    /// A moment, Unix milliseconds.
    Time(u64),
}

/// What is asked of one journal: a session by id, beginning of it, or the agent's own name, and
/// two bounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub session: Option<String>,
    pub from: Option<Bound>,
    pub to: Option<Bound>,
}

#[derive(Clone, Debug, Default)]
struct Found {
    first: Option<Sequence>,
    last: Option<Sequence>,
    /// Ids that the beginning of one fits.
    ids: Vec<[u8; 16]>,
    /// The session that was named.
    session: Option<SessionId>,
}

impl Asked {
    /// The window in a journal: read once through where a bound is more than a sequence or a time.
    pub fn window(&self, journal: &Path, reading: Reading) -> Result<Window, WalkError> {
        let mut window = Window::default();
        let mut look = [(&self.from, Found::default()), (&self.to, Found::default())];
        let mut read = self.session.is_some();
        for (bound, found) in &mut look {
            match bound {
                Some(Bound::Reference(Reference::Sequence(at))) => {
                    (found.first, found.last) = (Some(*at), Some(*at));
                }
                Some(Bound::Reference(_)) => read = true,
                Some(Bound::Time(_)) | None => {}
            }
        }
        let mut sessions = Vec::new();
        if read {
            self.read(journal, reading, &mut look, &mut sessions)?;
        }
        for (bound, found) in &look {
            let Some(Bound::Reference(reference)) = bound else { continue };
            match found.ids.len() {
                2.. => return Err(WalkError::Ambiguous { reference: reference.to_string() }),
                _ if found.first.is_none() => {
                    return Err(WalkError::NotFound { reference: reference.to_string() });
                }
                _ => {}
            }
        }
        let [(from, began), (to, ended)] = look;
        if began.session.is_some() && began.session == ended.session {
            // From a session to the same one is that session, whoever else went on meanwhile.
            window.sessions = began.session.map(|session| vec![session]);
        }
        match from {
            Some(Bound::Time(at_ms)) => window.from_ms = Some(*at_ms),
            _ => window.from = began.first,
        }
        match to {
            Some(Bound::Time(at_ms)) => window.through_ms = Some(*at_ms),
            _ => window.through = ended.last,
        }
        let is_reversed = match (from, to) {
            (Some(Bound::Time(from_ms)), Some(Bound::Time(to_ms))) => from_ms > to_ms,
            (Some(Bound::Reference(_)), Some(Bound::Reference(_))) => window.from > window.through,
            _ => false,
        };
        if is_reversed {
            return Err(WalkError::Reversed);
        }
        if let Some(session) = &self.session {
            if sessions.is_empty() {
                return Err(WalkError::NoSession { session: session.clone() });
            }
            window.sessions = Some(sessions);
        }
        Ok(window)
    }

    fn read(
        &self,
        journal: &Path,
        reading: Reading,
        look: &mut [(&Option<Bound>, Found); 2],
        sessions: &mut Vec<SessionId>,
    ) -> Result<(), WalkError> {
        for step in Walk::open(journal, reading, Window::default())? {
            let step = step?;
            let What::Event(recorded) = &step.what else { continue };
            if let (Some(wanted), Some(session)) = (&self.session, recorded.event.envelope.session)
                && !sessions.contains(&session)
                && is_session(wanted, session, &recorded.event.body)
            {
                sessions.push(session);
            }
            let execution = step.added.execution.or(execution_of(&recorded.event.body));
            for (bound, found) in look.iter_mut() {
                let Some(Bound::Reference(reference)) = bound else { continue };
                let met = match reference {
                    Reference::Ordinal(no) => step.added.row == Some(*no),
                    Reference::Last if execution.is_some() && !step.added.repeated => {
                        (found.first, found.last) = (None, None);
                        true
                    }
                    Reference::Id(begin) => named(begin, recorded, execution, found),
                    Reference::Last | Reference::Sequence(_) => false,
                };
                if met {
                    let first = step.added.start.unwrap_or(recorded.sequence);
                    found.first = Some(found.first.map_or(first, |before| before.min(first)));
                    found.last = Some(recorded.sequence);
                }
            }
        }
        Ok(())
    }
}

/// Whether the beginning of an id names the event's execution or session.
fn named(
    begin: &str,
    recorded: &Recorded,
    execution: Option<ExecutionId>,
    found: &mut Found,
) -> bool {
    let session = recorded.event.envelope.session;
    let mut met = false;
    for (text, id) in
        [execution.map(|id| (id.to_string(), id.0)), session.map(|id| (id.to_string(), id.0))]
            .into_iter()
            .flatten()
    {
        if text.starts_with(begin) {
            if !found.ids.contains(&id) && found.ids.len() < 2 {
                found.ids.push(id);
                found.session = session.filter(|session| session.0 == id);
            }
            met = true;
        }
    }
    met
}

fn is_session(wanted: &str, session: SessionId, body: &Body) -> bool {
    let native = matches!(body, Body::SessionStarted(started) if started.native_id == wanted);
    native || !wanted.is_empty() && session.to_string().starts_with(&wanted.to_ascii_lowercase())
}

/// The execution that an event is of.
pub fn execution_of(body: &Body) -> Option<ExecutionId> {
    match body {
        Body::ExecutionStarted(event) => Some(event.execution),
        Body::ExecutionFinished(event) => Some(event.execution),
        Body::ExecutionInterrupted(event) => Some(event.execution),
        Body::ExecutionCorrected(event) => Some(event.execution),
        _ => None,
    }
}
