//! The end of an audit replay: the records that it could not show, and whether the journal holds over the part
//! that was walked.

use serde::Serialize;

use super::{Step, What, Window};
use crate::event::Sequence;
use crate::journal::{JournalError, Reading, Source, VerifyReport};
use crate::store::evidence::Cache;
use crate::store::verify::audit;

/// Sequences listed of each sort; the count goes on.
const LISTED_MAX: usize = 1_000;

/// The records that an audit replay could not show, as ranges of sequences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
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
    #[serde(flatten)]
    pub contents: Absent,
}

/// Events whose contents lie elsewhere and could not be brought, the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Absent {
    #[serde(rename = "contents")]
    pub events: Vec<AbsentEvent>,
    #[serde(rename = "contents_count")]
    pub count: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AbsentEvent {
    pub sequence: u64,
    /// Why, causes included; not escaped.
    pub problem: String,
}

impl Absent {
    pub(super) fn add(&mut self, sequence: u64, problem: String) {
        self.count += 1;
        if self.events.len() < LISTED_MAX {
            self.events.push(AbsentEvent { sequence, problem });
        }
    }
}

/// Ranges of sequences, the first of them, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Listed {
    pub ranges: Vec<(u64, u64)>,
    /// Places met; of lost ones, stretches of damage.
    #[serde(skip)]
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

/// Whether a journal holds, over a part of it.
#[derive(Debug)]
pub struct Verdict {
    /// What `verify` says of the whole.
    pub report: VerifyReport,
    /// Of the whole: damage of which no event tells.
    damaged: bool,
    /// Its findings that concern the part: those without sequences may concern any.
    pub concerned: Vec<usize>,
}

impl Verdict {
    /// Nothing is wrong with the part.
    pub fn is_clean(&self) -> bool {
        self.report.is_clean() || (self.elsewhere() && self.concerned.is_empty())
    }

    /// Something of the part that was durable once is lost or changed.
    pub fn is_damaged(&self) -> bool {
        !self.is_clean() && self.damaged
    }

    /// All that is wrong is known finding by finding.
    fn elsewhere(&self) -> bool {
        let told = self.report.findings.len() as u64 == self.report.findings_count;
        told && self.report.findings_count > 0 && self.report.unreadable.is_empty()
    }
}

/// Verifies a journal and picks out what concerns the window.
pub fn verdict(
    source: &Source,
    reading: Reading,
    window: &Window,
    cache: &Cache,
) -> Result<Verdict, JournalError> {
    let audit = audit(Some(source), &source.journal, reading, cache)?;
    let (damaged, report) = (audit.is_damaged(), audit.report);
    let concerns = |lost: Option<(u64, u64)>| {
        lost.is_none_or(|(first, last)| window.touches(Sequence(first), Sequence(last)))
    };
    let concerned = report
        .findings
        .iter()
        .enumerate()
        .filter(|(_, finding)| concerns(finding.lost.map(|(first, last)| (first.0, last.0))));
    let concerned = concerned.map(|(at, _)| at).collect();
    Ok(Verdict { report, damaged, concerned })
}
