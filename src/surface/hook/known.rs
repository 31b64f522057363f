//! What is known of the session that a hook fired in.

use super::HookError;
use crate::command::Project;
use crate::command::gate::{Grounding, SessionFile};
use crate::event::{Sequence, SessionId};

/// What is known of the session that a hook fired in. Where its file cannot be had nothing is, and
/// what happens is recorded all the same.
pub struct Known<'p> {
    file: Option<SessionFile<'p>>,
    nothing: Grounding,
    faults: Vec<HookError>,
    /// The journal's last event, as an append found it that was overtaken.
    met: Sequence,
    /// How often one was.
    rounds: u32,
}

/// Rounds after which a call is recorded whatever others do: an agent waits, and the folds pass over
/// what is told twice.
const ROUNDS_MAX: u32 = 32;

impl<'p> Known<'p> {
    pub fn of(project: &'p Project, session: SessionId) -> Self {
        let nothing = Grounding::new(session);
        match SessionFile::open(project, session) {
            Ok(file) => Self { file: Some(file), ..Self::blind(nothing) },
            Err(error) => Self { faults: vec![error.into()], ..Self::blind(nothing) },
        }
    }

    fn blind(nothing: Grounding) -> Self {
        Self { file: None, nothing, faults: Vec::new(), met: Sequence(0), rounds: 0 }
    }

    /// The journal's last event that is known of; `None` where nothing is known, or nobody should wait
    /// for it any longer.
    pub fn through(&self) -> Option<Sequence> {
        let through = self.file.as_ref()?.through()?.max(self.met);
        (self.rounds < ROUNDS_MAX).then_some(through)
    }

    /// Takes what others appended that were faster.
    pub fn read_on(&mut self, last: Sequence) {
        (self.met, self.rounds) = (self.met.max(last), self.rounds + 1);
        self.catch_up();
    }

    pub fn grounding(&self) -> &Grounding {
        self.file.as_ref().map_or(&self.nothing, SessionFile::grounding)
    }

    /// Whether anything could be known at all.
    pub fn is_blind(&self) -> bool {
        self.file.is_none()
    }

    /// Takes what was appended since.
    pub fn catch_up(&mut self) {
        let caught = self.file.as_mut().map(SessionFile::catch_up);
        self.fault(caught);
    }

    /// Keeps what is known for the session's next hook.
    pub fn save(&mut self) {
        let saved = self.file.as_mut().map(SessionFile::save);
        self.fault(saved);
    }

    /// What went wrong with it.
    pub fn take_faults(&mut self) -> Vec<HookError> {
        std::mem::take(&mut self.faults)
    }

    fn fault(&mut self, done: Option<Result<(), crate::command::gate::GateError>>) {
        if let Some(Err(error)) = done {
            self.faults.push(error.into());
        }
    }
}
