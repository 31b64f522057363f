//! The records that a reference means: of an execution all its events, of a session every one.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::{Event, ExecutionId, Sequence};
use crate::journal::withheld::execution;
use crate::journal::{JournalError, JournalReader, ReplayItem};

/// What is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    Record(Sequence),
    Execution(ExecutionId),
    /// The beginning of an execution's or a session's id, in lower case.
    Id(String),
}

/// What becomes of each that is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chosen {
    pub records: BTreeSet<Sequence>,
    /// References that mean nothing here, and those that mean more than one thing.
    pub missing: Vec<usize>,
    pub ambiguous: Vec<usize>,
}

/// Finds what is meant, reading the journal once through.
pub fn choose(reader: &JournalReader, meant: &[Meant]) -> Result<Chosen, JournalError> {
    let mut found: Vec<BTreeMap<[u8; 16], BTreeSet<Sequence>>> = vec![BTreeMap::new(); meant.len()];
    let mut chosen = Chosen::default();
    for item in reader.replay(Sequence(1), None) {
        let (sequence, event) = match item? {
            ReplayItem::Event(recorded) => (recorded.sequence, Some(recorded.event)),
            ReplayItem::Undecodable { sequence, .. } | ReplayItem::Skipped { sequence, .. } => {
                (sequence, None)
            }
            ReplayItem::CommitEnd(_) | ReplayItem::Lost(_) => continue,
        };
        for (meant, found) in meant.iter().zip(&mut found) {
            for id in ids(meant, sequence, event.as_ref()) {
                found.entry(id).or_default().insert(sequence);
            }
        }
    }
    for (at, found) in found.into_iter().enumerate() {
        match found.len() {
            0 => chosen.missing.push(at),
            1 => chosen.records.extend(found.into_values().flatten()),
            _ => chosen.ambiguous.push(at),
        }
    }
    Ok(chosen)
}

/// The ids by which an event is meant.
fn ids(meant: &Meant, sequence: Sequence, event: Option<&Event>) -> Vec<[u8; 16]> {
    match (meant, event) {
        (Meant::Record(at), _) => (*at == sequence).then_some([0; 16]).into_iter().collect(),
        (_, None) => Vec::new(),
        (Meant::Execution(id), Some(event)) => {
            (execution(&event.body) == Some(*id)).then_some(id.0).into_iter().collect()
        }
        (Meant::Id(begin), Some(event)) => {
            let session = event.envelope.session.filter(|id| id.to_string().starts_with(begin));
            let execution = execution(&event.body).filter(|id| id.to_string().starts_with(begin));
            session.map(|id| id.0).into_iter().chain(execution.map(|id| id.0)).collect()
        }
    }
}
