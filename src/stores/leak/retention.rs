//! What is beyond its time: calls, prompts and what agents said, by policy.
//!
//! What stays: what tells of the journal itself, of sessions that there were, of tools and checks, and what is
//! remembered: memory has its own ways to forget.

use std::collections::{BTreeMap, BTreeSet};

use crate::event::{
    Body, Envelope, Event, ExecutionId, Recorded, RedactedRecord, RetentionApplied, Sequence,
    Source,
};
use crate::journal::withheld::{execution, is_said};
use crate::journal::{JournalError, JournalReader, Project, ReplayItem, clock};

/// Which records go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// What happened before, Unix milliseconds.
    pub before_ms: u64,
    /// Of sessions whose id begins so, or that their agents call exactly so; none: of all.
    pub sessions: Vec<String>,
    /// Of calls about what lies at or below these; none: everything.
    pub paths: Vec<String>,
}

/// What a policy comes to in a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// The records that go, in order.
    pub records: BTreeSet<Sequence>,
    /// Sessions that are named and that there are not.
    pub missing: Vec<String>,
    /// What went by a policy before: a copy may have it still.
    pub forgotten: Vec<RedactedRecord>,
}

impl Policy {
    /// What goes: of a call all its events, once the last of them is beyond its time; one that is open stays.
    pub fn beyond(&self, reader: &JournalReader) -> Result<Beyond, JournalError> {
        let (mut orders, mut forgotten) = (Vec::new(), Vec::new());
        let mut met: BTreeSet<&String> = BTreeSet::new();
        let mut records = BTreeSet::new();
        let mut calls: BTreeMap<ExecutionId, Call> = BTreeMap::new();
        let mut named: BTreeSet<[u8; 16]> = BTreeSet::new();
        for item in reader.replay(Sequence(1), None) {
            let ReplayItem::Event(recorded) = item? else { continue };
            match &recorded.event.body {
                Body::RetentionApplied(b) => orders.push(b.order),
                Body::PayloadRedacted(b) if orders.contains(&b.order) => {
                    forgotten.extend(b.records.iter().copied());
                }
                _ => {}
            }
            let envelope = &recorded.event.envelope;
            let mut of_session = self.sessions.is_empty();
            if let Some(session) = envelope.session {
                let text = session.to_string();
                for wanted in &self.sessions {
                    let is_called = matches!(&recorded.event.body,
                        Body::SessionStarted(started) if started.native_id == *wanted);
                    let begins = text.starts_with(&wanted.to_ascii_lowercase());
                    if is_called || begins && !wanted.is_empty() {
                        named.insert(session.0);
                        met.insert(wanted);
                    }
                }
                of_session |= named.contains(&session.0);
            }
            if let Some(execution) = execution(&recorded.event.body) {
                let call = calls.entry(execution).or_default();
                call.take(&recorded, self);
                call.of_session |= of_session;
            } else if of_session
                && self.paths.is_empty()
                && is_said(&recorded.event.body)
                && envelope.at_ms < self.before_ms
            {
                records.insert(recorded.sequence);
            }
        }
        let gone = calls.into_values().filter(|it| {
            it.is_closed && it.of_session && it.is_about && it.last_ms < self.before_ms
        });
        records.extend(gone.flat_map(|it| it.records));
        let missing = self.sessions.iter().filter(|it| !met.contains(it)).cloned().collect();
        Ok(Beyond { records, missing, forgotten })
    }

    /// Whether everything from before goes, whosever it is.
    pub fn is_of_all(&self) -> bool {
        self.sessions.is_empty() && self.paths.is_empty()
    }

    fn is_about(&self, paths: &[String]) -> bool {
        self.paths.is_empty()
            || paths.iter().any(|path| {
                self.paths.iter().any(|it| {
                    path.strip_prefix(it.trim_end_matches('/'))
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                })
            })
    }
}

#[derive(Default)]
struct Call {
    records: Vec<Sequence>,
    last_ms: u64,
    is_closed: bool,
    is_about: bool,
    of_session: bool,
}

impl Call {
    fn take(&mut self, recorded: &Recorded, policy: &Policy) {
        self.records.push(recorded.sequence);
        self.last_ms = self.last_ms.max(recorded.event.envelope.at_ms);
        match &recorded.event.body {
            Body::ExecutionStarted(b) => self.is_about |= policy.is_about(&b.paths),
            Body::ExecutionFinished(b) => {
                self.is_closed = true;
                self.is_about |= policy.is_about(&b.closing.paths);
            }
            Body::ExecutionCorrected(b) => {
                self.is_closed = true;
                self.is_about |= policy.is_about(&b.closing.paths);
            }
            _ => self.is_closed = true,
        }
    }
}

/// Records the policy, before what it orders.
pub fn tell(
    project: &Project,
    policy: &Policy,
    given: &super::Given,
    records: &BTreeSet<Sequence>,
) -> Result<(), super::LeakError> {
    let body = RetentionApplied {
        order: given.order,
        before_ms: policy.before_ms,
        sessions: policy.sessions.clone(),
        paths: policy.paths.clone(),
        records: records.len() as u64,
        first_sequence: records.first().map_or(0, |at| at.0),
        last_sequence: records.last().map_or(0, |at| at.0),
    };
    let envelope = Envelope::new(None, Source::Annals, given.at_ms);
    let journal = project.journal()?;
    journal.append(&[Event { envelope, body: Body::RetentionApplied(body) }], clock::now_ms())?;
    Ok(())
}
