//! Records that quote others: what is told of a step, of the calls and prompts in it; what debug memory tells of a
//! call. Where one of those is to go whatever it holds, what quotes it goes as well.

use std::collections::{BTreeSet, HashMap};

use super::debugged::Debugged;
use crate::event::{Body, Sequence, SessionId};
use crate::journal::{JournalError, JournalReader, ReplayItem};

/// The titles and summaries of the steps that these records are part of, and what debug memory tells of these calls.
pub fn quoting(
    reader: &JournalReader,
    records: &BTreeSet<Sequence>,
) -> Result<BTreeSet<Sequence>, JournalError> {
    let mut quoting = BTreeSet::new();
    if records.is_empty() {
        return Ok(quoting);
    }
    // Of each session its records that go, and its last prompt, if that does.
    let mut gone: HashMap<Option<SessionId>, BTreeSet<u64>> = HashMap::new();
    let mut asked: HashMap<Option<SessionId>, bool> = HashMap::new();
    let mut debugged = Debugged::default();
    for item in reader.replay(Sequence(1), None) {
        let ReplayItem::Event(recorded) = item? else { continue };
        let (at, session) = (recorded.sequence, recorded.event.envelope.session);
        debugged.take(at, &recorded.event.body, records.contains(&at));
        if records.contains(&at) {
            gone.entry(session).or_default().insert(at.0);
        }
        let has = |from: u64, through: u64| {
            let found = gone.get(&session).map(|it| it.range(from..=through.max(from)));
            found.is_some_and(|mut found| found.next().is_some())
        };
        let prompted = asked.get(&session).copied().unwrap_or_default();
        let quotes = match &recorded.event.body {
            Body::PromptSubmitted(_) => {
                asked.insert(session, records.contains(&at));
                false
            }
            Body::StepBegun(_) => prompted,
            Body::StepEnded(b) => prompted || has(b.began.unwrap_or(0), at.0),
            Body::SummaryAppended(b) => {
                let from = b.step.unwrap_or(0);
                prompted || has(from, b.through.unwrap_or(at.0))
            }
            _ => false,
        };
        if quotes && !records.contains(&at) {
            quoting.insert(at);
        }
    }
    quoting.extend(debugged.going().difference(records));
    Ok(quoting)
}
