//! The fold of a debug session's events into its document (spec 002), for both stores that have it.
//!
//! [`Slot`] is one session: not there, expired, or a [`DebugState`] that events are applied to. What a
//! journal tells that cannot be is a [`Fault`], and the document as it was. Whatever the events say, the
//! document is one that the schema takes: it has no null, no empty list, no number out of its range.

mod learnings;
mod sanitize;
mod slots;
mod state;

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::event::{Body, DebugBeside, DebugSessionId, Recorded, Sequence};
use crate::store::folder::{FilePlace, Folder};
use crate::store::projector::{Files, FolderStore};
use crate::store::{Anomaly, AnomalyKind, Concern, StoreError, StoreName};

pub(crate) use learnings::told_tally;
pub(crate) use slots::{SlotStore, Slots};
pub use state::DebugState;

// The fold into `.annals/debug-memory/`: the contract's document of each session, one JSON file.
//
// `{uuid}.json` is the document and nothing else. What it has no member for lies beside it:
// `beside/{uuid}.json`, which also says how the document ends, so that one that somebody changed is
// noticed before anything is made of it; and `effectiveness/{uuid}.json`, how often the templates of its
// patterns were tried and how often they worked.

impl StoreName {
    /// `.annals/debug-memory/`: a JSON document a debug session.
    pub const DEBUG_MEMORY: Self = Self::of(&FolderStore::<DebugFiles> {
        name: "debug-memory",
        place: ".annals/debug-memory",
        aliases: &["debug_memory", "debug"],
        concern: &DEBUG,
        files: PhantomData,
    });
}

/// Events of debug memory.
const DEBUG: Concern = Concern {
    last: "SELECT max(seq) FROM debug_ops",
    next: "SELECT seq FROM debug_ops WHERE seq > ?1 ORDER BY seq LIMIT 1",
};

/// More is none of ours: see the bound of a document.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// The fold into the documents of debug memory: each is read and written once a transaction.
#[derive(Debug, Default)]
pub struct DebugFiles {
    slots: Slots,
}

impl Files for DebugFiles {
    const WANTS_CONTENT: bool = true;

    fn apply(
        &mut self,
        recorded: &Recorded,
        folder: &mut Folder,
        _anomalies: &mut Vec<Anomaly>,
    ) -> Result<(), StoreError> {
        // The index keeps the list of what cannot be.
        self.slots.apply(recorded, &mut InFolder(folder), &mut Vec::new())
    }

    fn settle(&mut self, folder: &mut Folder) -> Result<(), StoreError> {
        self.slots.settle(&mut InFolder(folder))
    }
}

#[derive(Serialize, Deserialize)]
struct Beside {
    /// blake3 of the document's file, hexadecimal; `None` where the session has expired.
    document: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<DebugBeside>,
}

struct InFolder<'a>(&'a mut Folder);

impl InFolder<'_> {
    fn read<T: serde::de::DeserializeOwned>(
        &self,
        place: &FilePlace,
    ) -> Result<Option<(T, String)>, StoreError> {
        let Some(bytes) = self.0.read(place, FILE_BYTES_MAX)? else { return Ok(None) };
        let hash = blake3::hash(&bytes).to_hex().to_string();
        let read = serde_json::from_slice(&bytes);
        Ok(Some((read.map_err(|source| self.0.differs(place, &source.to_string()))?, hash)))
    }

    fn write(&mut self, place: FilePlace, value: &impl Serialize) -> Result<String, StoreError> {
        let written = serde_json::to_vec_pretty(value);
        let mut bytes = written.map_err(|source| self.0.differs(&place, &source.to_string()))?;
        bytes.push(b'\n');
        let hash = blake3::hash(&bytes).to_hex().to_string();
        self.0.replace(place, bytes)?;
        Ok(hash)
    }
}

impl SlotStore for InFolder<'_> {
    fn load(&mut self, id: DebugSessionId) -> Result<Slot, StoreError> {
        let Some((written, _)) = self.read::<Beside>(&beside(id))? else {
            // Never one without the other.
            return match self.0.read(&document(id), 0)? {
                None => Ok(Slot::Absent),
                Some(_) => Err(self.0.differs(&document(id), "what lay beside it is gone")),
            };
        };
        let (Some(document_hash), Some(told)) = (written.document, written.beside) else {
            return Ok(Slot::Expired);
        };
        match self.read(&document(id))? {
            Some((read, hash)) if hash == document_hash => {
                Ok(Slot::Held(Box::new(DebugState::of(read, told))))
            }
            _ => Err(self.0.differs(&document(id), "it is not as it was written")),
        }
    }

    fn save(&mut self, id: DebugSessionId, slot: &Slot) -> Result<(), StoreError> {
        let (written, tallies) = match slot {
            Slot::Absent => return Ok(()),
            Slot::Expired => {
                self.0.remove(document(id))?;
                (Beside { document: None, beside: None }, None)
            }
            Slot::Held(state) => {
                let hash = self.write(document(id), &state.document)?;
                let told = Some(state.beside.clone());
                let tallies = Some(&state.beside.tallies).filter(|tallies| !tallies.is_empty());
                (Beside { document: Some(hash), beside: told }, tallies)
            }
        };
        match tallies {
            Some(tallies) => drop(self.write(effectiveness(id), tallies)?),
            None => self.0.remove(effectiveness(id))?,
        }
        self.write(beside(id), &written).map(drop)
    }
}

fn document(id: DebugSessionId) -> FilePlace {
    FilePlace::of(&[], &id.to_string(), "json")
}

fn beside(id: DebugSessionId) -> FilePlace {
    FilePlace::of(&["beside"], &id.to_string(), "json")
}

fn effectiveness(id: DebugSessionId) -> FilePlace {
    FilePlace::of(&["effectiveness"], &id.to_string(), "json")
}

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Slot {
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
                Self::Absent => {
                    let at_ms = recorded.event.envelope.at_ms;
                    Some(DebugState::opened(opened, at_ms, recorded.sequence))
                }
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

    pub fn at(self, sequence: Sequence) -> Anomaly {
        Anomaly { sequence, kind: self.kind, execution: None, message: self.message }
    }
}

/// The debug sessions that an event is about, the one that it belongs to first; none of an event that is
/// not of debug memory.
pub fn subjects(body: &Body) -> Vec<DebugSessionId> {
    match body {
        Body::DebugSessionOpened(it) => vec![it.session],
        Body::AttemptRecorded(it) => vec![it.session],
        Body::AnalysisRecorded(it) => vec![it.session],
        Body::FixApplied(it) => vec![it.session],
        Body::FixVerified(it) => vec![it.session],
        Body::TemplateTried(it) if it.template.session == it.session => vec![it.session],
        Body::TemplateTried(it) => vec![it.session, it.template.session],
        Body::LearningExtracted(it) => vec![it.session],
        Body::DebugSessionClosed(it) => vec![it.session],
        Body::DebugSessionExpired(it) => vec![it.session],
        Body::DebugSessionImported(it) => vec![it.session],
        _ => Vec::new(),
    }
}
