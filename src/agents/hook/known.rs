//! What is known of the session that a hook fired in.

use super::HookError;
use crate::event::{CallKey, Sequence, SessionId};
use crate::grounding::fold::Grounding;
use crate::grounding::gate::{GateError, SessionFile};
use crate::journal::{Project, Rounds};

/// What is known of the session that a hook fired in. Where the journal cannot be read nothing is, and
/// what happens is recorded all the same.
pub struct Known<'p> {
    file: Option<SessionFile<'p>>,
    nothing: Grounding,
    faults: Vec<HookError>,
    rounds: Rounds<'p>,
}

impl<'p> Known<'p> {
    pub fn of(project: &'p Project, session: SessionId) -> Self {
        let (nothing, rounds) = (Grounding::new(session), Rounds::of(project));
        let mut known = Self { file: None, nothing, faults: Vec::new(), rounds };
        known.file = match SessionFile::open(project, session) {
            Err(error @ GateError::File { .. }) => {
                known.faults.push(error.into());
                known.unless_failed(SessionFile::unkept(project, session))
            }
            opened => known.unless_failed(opened),
        };
        known
    }

    /// The journal's last event that is known of; `None` where nothing is known.
    pub fn through(&self) -> Option<Sequence> {
        self.file.as_ref().map(SessionFile::through)
    }

    /// Takes what others appended that were faster.
    pub fn read_on(&mut self, last: Sequence) -> Result<(), HookError> {
        self.rounds.another()?;
        let read = self.file.as_mut().map(|file| file.read_on(last)).transpose();
        if self.unless_failed(read).is_none() {
            // What is known does not reach the journal's end, and never will.
            self.file = None;
        }
        Ok(())
    }

    pub fn grounding(&self) -> &Grounding {
        self.file.as_ref().map_or(&self.nothing, SessionFile::grounding)
    }

    /// Whether a call has ended, however long ago.
    pub fn call_is_closed(&self, call: &CallKey) -> bool {
        self.file.as_ref().is_some_and(|file| file.call_is_closed(call))
    }

    /// Whether anything could be known at all.
    pub fn is_blind(&self) -> bool {
        self.file.is_none()
    }

    /// Takes what was appended since.
    pub fn catch_up(&mut self) {
        let caught = self.file.as_mut().map_or(Ok(()), SessionFile::catch_up);
        self.unless_failed(caught);
    }

    /// Keeps what is known for the session's next hook.
    pub fn save(&mut self) {
        let saved = self.file.as_mut().map_or(Ok(()), SessionFile::save);
        self.unless_failed(saved);
    }

    /// What went wrong with it.
    pub fn take_faults(&mut self) -> Vec<HookError> {
        std::mem::take(&mut self.faults)
    }

    fn unless_failed<T>(&mut self, done: Result<T, GateError>) -> Option<T> {
        // Told with the other faults of this hook.
        done.map_err(|error| self.faults.push(error.into())).ok()
    }
}
