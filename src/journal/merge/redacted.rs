//! What was redacted in a source stays redacted in what it is merged into, and an event says so there as well.

use std::collections::{BTreeMap, BTreeSet};

use annals_journal_format::frame::{Flags, layout};
use annals_journal_format::tree::{LeafStep, leaves};

use super::{Input, MergeError};
use crate::event::{
    Body, Envelope, Event, OrderId, PayloadRedacted, RedactedRecord, RetentionApplied,
};
use crate::event::{Sequence, Source};
use crate::journal::redaction::{Ordered, Orders};
use crate::journal::{
    Journal, JournalError, JournalReader, Project, Reading, ReplayItem, clock, id, withheld,
};

/// A redacted record: its source, and its numbers there and here.
pub(super) struct Gone {
    pub source: usize,
    pub local: u64,
    pub place: u64,
    /// It was not there: it holds what was redacted elsewhere.
    pub is_withheld: bool,
}

/// Records again, under the orders that the sources tell of, what was redacted there. What nobody ordered there, nobody
/// ordered here.
pub(super) fn tell(
    inputs: &[Input],
    gone: &[Gone],
    project: &Project,
    journal: &Journal,
) -> Result<(), MergeError> {
    if gone.is_empty() {
        return Ok(());
    }
    let here = leaves_of(project, &gone.iter().map(|it| it.place).collect())?;
    let (mut policies, mut ours) = (BTreeMap::new(), BTreeSet::new());
    let mut told: BTreeMap<OrderId, (Ordered, Vec<RedactedRecord>)> = BTreeMap::new();
    for (number, input) in inputs.iter().enumerate() {
        let mut own = gone.iter().filter(|it| it.source == number).peekable();
        if own.peek().is_none() {
            continue;
        }
        let reader = JournalReader::reading(&input.journal, input.reading)?;
        let orders = Orders::of(&reader)?;
        policies.extend(policies_of(&reader)?);
        let left_out = left_out(input, journal)?;
        let kept_out = made_here(journal, WITHHELD.to_owned());
        ours.insert(kept_out.order);
        for it in own {
            let ordered = match it.is_withheld {
                true => Some(&kept_out),
                false => orders.by(Sequence(it.local)).or(left_out.as_ref()),
            };
            if let Some((ordered, leaf)) = ordered.zip(here.get(&it.place)) {
                let of = told.entry(ordered.order);
                let (_, records) = of.or_insert_with(|| (ordered.clone(), Vec::new()));
                records.push(RedactedRecord { sequence: it.place, leaf: *leaf });
            }
        }
    }
    let is_ours = |it: &OrderId| ours.contains(it);
    let orders: Vec<_> = told.keys().map(|it| (*it, is_ours(it))).collect();
    let mut events = Vec::new();
    for (ordered, mut records) in told.into_values() {
        records.sort_unstable();
        if let Some(policy) = policies.remove(&ordered.order) {
            events.push(applied(policy, &records, ordered.at_ms));
        }
        for some in records.chunks(RedactedRecord::LEN_MAX) {
            let Ordered { order, reason, by, rule, at_ms, .. } = ordered.clone();
            let (beside, links, records) = (Vec::new(), Vec::new(), some.to_vec());
            let journal = journal.id();
            let body = PayloadRedacted { order, journal, records, beside, links, reason, by, rule };
            let envelope = Envelope::new(None, Source::Annals, at_ms);
            events.push(Event { envelope, body: Body::PayloadRedacted(body) });
        }
    }
    if !events.is_empty() {
        journal.append(&events, clock::now_ms())?;
    }
    note(&orders, project, journal)
}

/// Remembers which of these orders something is kept for here: what the merge itself kept out is known already.
fn note(
    orders: &[(OrderId, bool)],
    project: &Project,
    journal: &Journal,
) -> Result<(), MergeError> {
    let path = withheld::file();
    for (order, _) in orders.iter().filter(|it| it.1) {
        if let Some(path) = &path {
            withheld::keep(path, *order, &[], &[], None).map_err(MergeError::Withheld)?;
        }
    }
    let all: Vec<_> = orders.iter().map(|it| it.0).collect();
    let left = withheld::unkept(&all).map_err(MergeError::Withheld)?;
    for order in all.into_iter().filter(|it| !left.contains(it)) {
        withheld::note(&project.journal_dir(), &journal.id(), order);
    }
    Ok(())
}

/// By which policies a journal says that records went.
fn policies_of(reader: &JournalReader) -> Result<Vec<(OrderId, RetentionApplied)>, JournalError> {
    let mut policies = Vec::new();
    for item in reader.replay(Sequence(1), None) {
        if let ReplayItem::Event(it) = item?
            && let Body::RetentionApplied(policy) = it.event.body
        {
            policies.push((policy.order, policy));
        }
    }
    Ok(policies)
}

/// That a policy was applied to these records, as the journal that they come from says.
fn applied(policy: RetentionApplied, records: &[RedactedRecord], at_ms: u64) -> Event {
    let body = Body::RetentionApplied(RetentionApplied {
        records: records.len() as u64,
        first_sequence: records.first().map_or(0, |it| it.sequence),
        last_sequence: records.last().map_or(0, |it| it.sequence),
        ..policy
    });
    Event { envelope: Envelope::new(None, Source::Annals, at_ms), body }
}

/// The leaves of those of these records that are redacted here.
fn leaves_of(
    project: &Project,
    places: &BTreeSet<u64>,
) -> Result<BTreeMap<u64, [u8; 32]>, MergeError> {
    let (dir, mut here) = (project.journal_dir(), BTreeMap::new());
    let mut take = |step: LeafStep<'_>| {
        if let LeafStep::Leaf { sequence, leaf, frame } = step
            && places.contains(&sequence.0)
            && Flags(frame[layout::FLAGS_AT]).has(Flags::REDACTED)
        {
            here.insert(sequence.0, leaf);
        }
        true
    };
    let walked = leaves(&Reading::Live.storage(&dir)?, &dir, None, false, &mut take);
    walked.map_err(|source| JournalError::Read { path: dir.clone(), source })?;
    Ok(here)
}

/// Of a bundle that was written without some of its records: that they were left out of it.
fn left_out(input: &Input, journal: &Journal) -> Result<Option<Ordered>, MergeError> {
    let storage = input.reading.storage(&input.journal)?;
    let what = storage.bundle().and_then(|it| it.manifest.left_out.clone());
    Ok(what.map(|(_, what)| {
        made_here(journal, format!("left out of the bundle that was merged: {what}"))
    }))
}

/// What is redacted while journals are merged says so.
const WITHHELD: &str = "it was redacted before, or holds what was";

/// An order that the merge gives.
fn made_here(journal: &Journal, reason: String) -> Ordered {
    let (now_ms, mut random) = (clock::now_ms(), [0; 10]);
    random.copy_from_slice(&id::entropy()[..10]);
    Ordered {
        at: Sequence(0),
        order: OrderId::v7(now_ms, &random),
        journal: journal.id(),
        at_ms: now_ms,
        by: "annals merge".to_owned(),
        reason,
        rule: None,
        records: 0,
    }
}
