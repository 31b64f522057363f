//! What goes with the records that were chosen, and what vouches for it afterwards.

use std::collections::{BTreeMap, BTreeSet};

use annals_journal_format::frame::{Flags, layout};
use annals_journal_format::tree::{LeafStep, leaves};

use super::{EndedCall, ORDER_RECORDS_MAX, Order, RedactionError};
use crate::event::{
    Body, ChainLink, Content, ExecutionId, OrderId, Recorded, RedactedRecord, Sequence,
};
use crate::journal::{JournalError, JournalReader, ReplayItem};

/// What an order would destroy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What goes, in order of sequence: what was chosen and is still there, and the referrers.
    pub records: Vec<RedactedRecord>,
    /// What stays of the same commits.
    pub beside: Vec<RedactedRecord>,
    pub links: Vec<ChainLink>,
    pub ended: Vec<EndedCall>,
    /// Of `records` those that were not chosen: their content is only a reference to one that goes, with a digest
    /// of it.
    pub referrers: Vec<Sequence>,
    /// Later records that keep their content, which is only a reference to one that goes.
    pub lifted: Vec<(Sequence, Content)>,
    /// Of what was chosen, what is redacted already.
    pub gone: Vec<Sequence>,
}

impl Plan {
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The order for it.
    pub fn order(
        self,
        id: OrderId,
        at_ms: u64,
        by: String,
        reason: String,
        rule: Option<String>,
    ) -> Order {
        let Self { records, beside, links, ended, .. } = self;
        Order { id, at_ms, by, reason, rule, records, beside, links, ended }
    }
}

/// What goes where these events do. Of some of them (`along`) later records go too whose content is only a reference to
/// one of theirs: it is what is to go, and the reference has a digest of it. Who refers to another's keeps it. Changes
/// nothing.
///
/// # Errors
/// Where an event is not there, is one that is never redacted, or they are too many.
pub fn plan(
    reader: &JournalReader,
    chosen: &BTreeSet<Sequence>,
    along: &BTreeSet<Sequence>,
) -> Result<Plan, RedactionError> {
    let mut plan = Plan::default();
    let mut goes = chosen.clone();
    let mut open = BTreeMap::new();
    let end = reader.mark().sequence;
    for item in reader.replay(Sequence(1), Some(end)) {
        let ReplayItem::Event(recorded) = item? else { continue };
        let sequence = recorded.sequence;
        if goes.contains(&sequence) && recorded.event.body.kind().is_of_journal() {
            return Err(RedactionError::Kept { sequence });
        }
        if !goes.contains(&sequence) {
            let contents = || recorded.event.body.contents();
            if contents().any(|it| refers(it, along)) {
                plan.referrers.push(sequence);
                goes.insert(sequence);
            } else {
                let lifted = contents().filter(|it| refers(it, &goes));
                plan.lifted.extend(lifted.map(|it| (sequence, it.clone())));
            }
        }
        plan.ended.extend(ended(&recorded, goes.contains(&sequence), &mut open));
    }
    let found = plan.take_leaves(reader, &goes, end)?;
    if let Some(sequence) = chosen.iter().find(|it| !found.contains(it)) {
        return Err(RedactionError::Missing { sequence: *sequence });
    }
    let count = plan.records.len() + plan.beside.len();
    if count > ORDER_RECORDS_MAX {
        return Err(RedactionError::TooMany { count, max: ORDER_RECORDS_MAX });
    }
    Ok(plan)
}

fn refers(content: &Content, to: &BTreeSet<Sequence>) -> bool {
    matches!(content, Content::Repeated { sequence, .. } if to.contains(&Sequence(*sequence)))
}

/// The call that an event ends which goes, where its beginning stays. `open`: those that have begun.
fn ended(
    recorded: &Recorded,
    goes: bool,
    open: &mut BTreeMap<ExecutionId, EndedCall>,
) -> Option<EndedCall> {
    let (execution, session) = match &recorded.event.body {
        Body::ExecutionStarted(started) => {
            let (execution, tool) = (started.execution, started.tool.clone());
            let (session, at_ms) = (recorded.event.envelope.session, recorded.event.envelope.at_ms);
            if !goes {
                open.insert(execution, EndedCall { execution, tool, session, at_ms });
            }
            return None;
        }
        Body::ExecutionFinished(finished) => (finished.execution, recorded.event.envelope.session),
        Body::ExecutionInterrupted(ended) => (ended.execution, recorded.event.envelope.session),
        _ => return None,
    };
    let call = open.remove(&execution).filter(|_| goes)?;
    let at_ms = recorded.event.envelope.at_ms;
    Some(EndedCall { session: session.or(call.session), at_ms, ..call })
}

/// A record as the walk shows it.
struct Met {
    record: RedactedRecord,
    goes: bool,
}

impl Plan {
    /// Takes what is met of `goes` commit by commit; answers which there are.
    fn take_leaves(
        &mut self,
        reader: &JournalReader,
        goes: &BTreeSet<Sequence>,
        end: Sequence,
    ) -> Result<BTreeSet<Sequence>, RedactionError> {
        let (mut found, mut commit) = (BTreeSet::new(), Vec::<Met>::new());
        let mut chain = reader.genesis();
        let mut take = |step: LeafStep<'_>| {
            match step {
                LeafStep::Leaf { sequence, .. } if sequence.0 > end.0 => return false,
                LeafStep::Leaf { sequence, leaf, frame } => {
                    let flags = Flags(frame[layout::FLAGS_AT]);
                    if flags.has(Flags::FIRST) {
                        // The last frame of the one before was damaged.
                        self.close(&mut commit, None);
                    }
                    let is_chosen = goes.contains(&Sequence(sequence.0));
                    let is_gone = flags.has(Flags::REDACTED);
                    if is_chosen {
                        found.insert(Sequence(sequence.0));
                        if is_gone {
                            self.gone.push(Sequence(sequence.0));
                        }
                    }
                    let record = RedactedRecord { sequence: sequence.0, leaf };
                    commit.push(Met { record, goes: is_chosen && !is_gone });
                }
                LeafStep::Commit(at) => {
                    self.close(&mut commit, Some(chain));
                    chain = at.mark.chain.0;
                }
                // What is damaged elsewhere keeps nothing from going.
                LeafStep::Lost(_) => {}
            }
            true
        };
        let walked = leaves(&reader.storage, &reader.path, None, false, &mut take);
        walked.map_err(|source| JournalError::Read { path: reader.path.clone(), source })?;
        self.close(&mut commit, None);
        Ok(found)
    }

    fn close(&mut self, commit: &mut Vec<Met>, before: Option<[u8; 32]>) {
        let first = commit.first().map(|it| it.record.sequence);
        if commit.iter().any(|it| it.goes) {
            for met in commit.iter() {
                let list = if met.goes { &mut self.records } else { &mut self.beside };
                list.push(met.record);
            }
            let link = first.zip(before).map(|(sequence, chain)| ChainLink { sequence, chain });
            self.links.extend(link);
        }
        commit.clear();
    }
}
