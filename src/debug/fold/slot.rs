//! One debug session as the events leave it.

use super::{DebugState, Fault};
use crate::event::{Body, DebugSessionId, Recorded};

/// One debug session as the events leave it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Slot {
    /// No event has told of it.
    #[default]
    Absent,
    /// Its document was kept as long as the rules say; what comes after is told of nothing.
    Expired,
    Held(Box<DebugState>),
}

impl Slot {
    /// Applies an event that is about this session; `false` where it changed nothing.
    pub fn apply(
        &mut self,
        id: DebugSessionId,
        recorded: &Recorded,
        faults: &mut Vec<Fault>,
    ) -> bool {
        let begun = match &recorded.event.body {
            Body::DebugSessionOpened(opened) => match self {
                Self::Absent => Some(DebugState::opened(opened, recorded)),
                Self::Expired => None,
                Self::Held(_) => {
                    let message = format!("the debug session {id} was opened before; that counts");
                    faults.push(Fault::contradiction(message));
                    return false;
                }
            },
            // One that is there is replaced, and one that expired comes back.
            Body::DebugSessionImported(imported) => {
                match DebugState::imported(imported, recorded, self.held()) {
                    Ok(state) => Some(state),
                    Err(fault) => {
                        faults.push(fault);
                        return false;
                    }
                }
            }
            _ => None,
        };
        match (begun, &mut *self) {
            (Some(state), _) => *self = Self::Held(Box::new(state)),
            (None, Self::Absent) => {
                let message = format!("no event before tells what the debug session {id} is");
                faults.push(Fault::unknown(message));
                return false;
            }
            (None, Self::Expired) => {
                let message = format!("the debug session {id} has expired");
                faults.push(Fault::unknown(message));
                return false;
            }
            (None, Self::Held(state)) => match &recorded.event.body {
                Body::DebugSessionExpired(_) => *self = Self::Expired,
                _ => return state.apply(id, recorded, faults),
            },
        }
        true
    }

    fn held(&self) -> Option<&DebugState> {
        match self {
            Self::Held(state) => Some(state),
            _ => None,
        }
    }
}
