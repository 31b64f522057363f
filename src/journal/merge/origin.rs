//! Where a record of a merged journal comes from.

use std::collections::{BTreeSet, VecDeque};

use annals_journal_format::frame::{Carried, Flags};
use annals_journal_format::limits::COMMIT_FRAMES_MAX;
use annals_journal_format::reader::Item;
use annals_journal_format::tree::{Hash, LeafStep, leaves};
use annals_journal_format::verify::VerifyFrom;

use crate::event::{self, Body, JournalsMerged, Kind, Sequence};
use crate::journal::{JournalError, JournalReader};

/// Where a record comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    pub journal: [u8; 16],
    pub sequence: Sequence,
    /// Its leaf there.
    pub leaf: Hash,
}

/// Where a commit begins and ends.
pub(super) const ENDS: Flags = Flags::FIRST.with(Flags::LAST);

/// What is known of the records that follow in a commit.
#[derive(Debug, Default)]
pub(super) struct Told(VecDeque<TellsOf>);

#[derive(Debug)]
struct TellsOf {
    journal: [u8; 16],
    sequence: u64,
    flags: u8,
    leaf: Option<Hash>,
}

impl Told {
    /// Takes what an event says of those behind it, where it is one that does. Counts beyond what a commit can hold say
    /// nothing.
    pub fn take(&mut self, carried: &Carried) {
        self.0.clear();
        // A redacted one, or one of a newer program, tells of nothing: its records count as this journal's own.
        let event = carried.payload().ok().and_then(|payload| {
            event::decode(Kind(carried.kind), carried.version, &payload).ok() // as above
        });
        if let Some(Body::JournalsMerged(merged)) = event.map(|it| it.body) {
            self.0 = expanded(&merged);
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Where the next record comes from, if that was told.
    pub fn next(&mut self, carried: &Carried) -> Option<(Origin, u8)> {
        let told = self.0.pop_front()?;
        let (sequence, ends) = (Sequence(told.sequence), told.flags & ENDS.0);
        let leaf = told.leaf.unwrap_or_else(|| there(carried, sequence, ends).leaf());
        Some((Origin { journal: told.journal, sequence, leaf }, ends))
    }
}

/// A record as it was where it comes from, as far as it was not changed.
pub(super) fn there(carried: &Carried, sequence: Sequence, ends: u8) -> Carried {
    let mut there = carried.clone();
    there.sequence = annals_journal_format::Sequence(sequence.0);
    there.flags = Flags(carried.flags.without(ENDS).0 | ends);
    there
}

fn expanded(merged: &JournalsMerged) -> VecDeque<TellsOf> {
    let mut told = VecDeque::new();
    let mut changed = merged.changed.iter().peekable();
    for run in &merged.runs {
        let Some(source) = merged.sources.get(run.source as usize) else { break };
        for number in 0..run.count {
            let record = told.len();
            let Some(flags) = merged.flags.get(record) else { return told };
            let change = changed.next_if(|it| it.record as usize == record);
            told.push_back(TellsOf {
                journal: source.journal,
                sequence: run.first.saturating_add(number),
                flags: *flags,
                leaf: change.map(|it| it.leaf),
            });
        }
    }
    told
}

impl JournalReader {
    /// Of each record where it stands, its leaves (here, and where it comes from), and the journal that it comes from.
    pub(in crate::journal) fn each_leaf(
        &self,
        each: &mut dyn FnMut(Sequence, [Hash; 2], [u8; 16]),
    ) -> Result<(), JournalError> {
        let (id, mut told) = (self.id(), Told::default());
        let mut take = |step: LeafStep<'_>| {
            match step {
                LeafStep::Leaf { sequence, leaf, frame } => {
                    let carried = Carried::of(frame);
                    let origin = told.next(&carried).map(|it| it.0);
                    if origin.is_none() && Kind(carried.kind) == Kind::JOURNALS_MERGED {
                        told.take(&carried);
                    }
                    let (there, journal) = origin.map_or((leaf, id), |it| (it.leaf, it.journal));
                    each(Sequence(sequence.0), [leaf, there], journal);
                }
                LeafStep::Commit(_) => told.clear(),
                // It has no leaf to know it by.
                LeafStep::Lost(_) => {}
            }
            true
        };
        let walked = leaves(&self.storage, &self.path, None, false, &mut take);
        walked.map_err(|it| self.unread(it))
    }

    /// The leaves of records, as they lie here and as they were where they come from.
    pub fn leaves_of(&self, records: &BTreeSet<Sequence>) -> Result<Vec<Hash>, JournalError> {
        let mut found = Vec::new();
        self.each_leaf(&mut |at, leaves, _| {
            if records.contains(&at) {
                found.extend(leaves);
            }
        })?;
        found.dedup();
        Ok(found)
    }

    /// Where an event of a merged journal comes from, and its leaf there; `None` where it is the journal's own.
    pub fn origin(&self, at: Sequence) -> Result<Option<Origin>, JournalError> {
        // The event that tells stands before it in its commit.
        let mut back = self.reader.entries_back(Some(annals_journal_format::Sequence(at.0)));
        let (mut teller, mut is_within) = (None, false);
        for _ in 0..COMMIT_FRAMES_MAX {
            let Some(item) = back.next() else { break };
            match item.map_err(|it| self.unread(it))? {
                // That of the commit before.
                Item::Commit(_) if is_within => break,
                Item::Entry(entry) => {
                    is_within = true;
                    if Kind(entry.kind) == Kind::JOURNALS_MERGED {
                        teller = Some(entry.sequence);
                        break;
                    }
                }
                Item::Commit(_) | Item::Finding(_) => {}
            }
        }
        let Some(teller) = teller.filter(|it| it.0 < at.0) else { return Ok(None) };
        let place = self.reader.before(teller).map_err(|it| self.unread(it))?;
        let from = place.map(|(segment, at)| VerifyFrom { segment, at });
        let mut found = None;
        let (mut told, mut is_within) = (Told::default(), false);
        let mut take = |step: LeafStep<'_>| match step {
            LeafStep::Leaf { sequence, frame, .. } if sequence >= teller => {
                let carried = Carried::of(frame);
                if sequence == teller {
                    told.take(&carried);
                    is_within = true;
                } else if let Some((origin, _)) = told.next(&carried)
                    && sequence.0 == at.0
                {
                    found = Some(origin);
                }
                sequence.0 < at.0
            }
            LeafStep::Commit(_) => !is_within,
            LeafStep::Leaf { .. } | LeafStep::Lost(_) => true,
        };
        leaves(&self.storage, &self.path, from, false, &mut take).map_err(|it| self.unread(it))?;
        Ok(found)
    }
}
