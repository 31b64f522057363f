//! What an event of debug memory tells that cannot be.

use crate::event::Sequence;
use crate::store::{Anomaly, AnomalyKind};

/// What an event of debug memory tells that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: AnomalyKind,
    pub message: String,
}

impl Fault {
    /// What it is about is not there.
    pub fn unknown(message: String) -> Self {
        Self { kind: AnomalyKind::UnknownDebug, message }
    }

    /// Something else was said before; that counts.
    pub fn contradiction(message: String) -> Self {
        Self { kind: AnomalyKind::Contradiction, message }
    }

    /// As the list of anomalies has it.
    pub fn at(self, sequence: Sequence) -> Anomaly {
        Anomaly { sequence, kind: self.kind, execution: None, message: self.message }
    }
}
