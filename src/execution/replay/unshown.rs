//! The records that an audit replay could not show.

use super::{Step, What};

/// Sequences listed of each sort; the count goes on.
const LISTED_MAX: usize = 1_000;

/// The records that an audit replay could not show, as ranges of sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unshown {
    /// Bytes that are not what was written: first and last sequence, where they are known.
    pub lost: Listed,
    /// Events that this build cannot read.
    pub undecodable: Listed,
    /// Payloads that were destroyed on purpose.
    pub redacted: Listed,
    /// Events of kinds that this build does not know.
    pub unknown: Listed,
    /// Events that were shown without contents of theirs.
    pub contents: Absent,
}

/// Events whose contents lie elsewhere and could not be brought, the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Absent {
    /// The event's sequence, and why: causes included, not escaped.
    pub events: Vec<(u64, String)>,
    /// How many there are.
    pub count: u64,
}

impl Absent {
    pub(super) fn add(&mut self, sequence: u64, problem: String) {
        self.count += 1;
        if self.events.len() < LISTED_MAX {
            self.events.push((sequence, problem));
        }
    }
}

/// Ranges of sequences, the first of them, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    pub ranges: Vec<(u64, u64)>,
    /// Places met; of lost ones, stretches of damage.
    pub count: u64,
}

impl Listed {
    fn add(&mut self, first: u64, last: u64) {
        self.count += 1;
        let room = self.ranges.len() < LISTED_MAX;
        match self.ranges.last_mut() {
            Some(before) if before.1.checked_add(1) == Some(first) => before.1 = last,
            _ if room => self.ranges.push((first, last)),
            _ => {}
        }
    }
}

impl Unshown {
    pub(super) fn note(&mut self, step: &Step) {
        match &step.what {
            What::Event(_) => {}
            What::Unknown { sequence, .. } => self.unknown.add(sequence.0, sequence.0),
            What::Redacted { sequence, .. } => self.redacted.add(sequence.0, sequence.0),
            What::Undecodable { sequence, .. } => self.undecodable.add(sequence.0, sequence.0),
            What::Lost(finding) => match finding.lost {
                Some((first, last)) => self.lost.add(first.0, last.0),
                None => self.lost.count += 1,
            },
        }
    }

    /// Whether every record was shown, with its contents.
    pub fn is_empty(&self) -> bool {
        let counts = [&self.lost, &self.undecodable, &self.redacted, &self.unknown];
        self.contents.count == 0 && counts.iter().all(|listed| listed.count == 0)
    }
}
