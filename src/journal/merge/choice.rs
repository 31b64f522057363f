//! Which record is taken from which source.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use super::report::MergedFrom;
use super::survey::{Same, SeenRecord, Surveyed, Tells};
use super::{Input, MergeError};
use crate::event::ExecutionId;

/// What is taken of each source: of each journal that records come from, their numbers there, in order.
#[derive(Debug, Default)]
pub(super) struct Choice {
    pub take: Vec<BTreeMap<[u8; 16], Vec<u64>>>,
    pub reports: Vec<MergedFrom>,
}

/// One that has a journal's records: the journal that is merged into, or a source by its number.
type Holder = Option<usize>;

/// Decides by what was seen: nothing is taken twice, and no journal has two records under one number.
pub(super) fn choose(
    before: Option<&Surveyed>,
    sources: &[Surveyed],
    inputs: &[Input],
) -> Result<Choice, MergeError> {
    let mut choice = Choice {
        take: vec![BTreeMap::new(); sources.len()],
        reports: inputs.iter().zip(sources).map(|(input, of)| report(input, of)).collect(),
    };
    let path = |holder: Holder| match holder {
        Some(number) => inputs[number].journal.as_path(),
        None => Path::new("the journal that is merged into"),
    };
    let mut same = Known::default();
    let mut journals: Vec<[u8; 16]> = Vec::new();
    for of in before.into_iter().chain(sources) {
        for id in of.records.keys() {
            if !journals.contains(id) {
                journals.push(*id);
            }
        }
    }
    let holders_of = |id: &[u8; 16]| {
        let there = before.and_then(|it| it.records.get(id)).map(|it| (None, it.as_slice()));
        let here = sources.iter().enumerate();
        let here = here.filter_map(|(at, it)| Some((Some(at), it.records.get(id)?.as_slice())));
        there.into_iter().chain(here).collect::<Vec<(Holder, &[SeenRecord])>>()
    };
    for id in &journals {
        for (holder, records) in holders_of(id) {
            same.note_calls(*id, holder.is_none(), records);
        }
        same.count_there(side_by_side(holders_of(id)));
        same.end();
    }
    for id in &journals {
        same.journal = *id;
        same.count_there(side_by_side(holders_of(id)));
        for found in side_by_side(holders_of(id)) {
            let (first, record) = found[0];
            if let Some((other, _)) = found.iter().find(|(_, it)| it.leaf != record.leaf) {
                let (one, other) = (path(first).to_owned(), path(*other).to_owned());
                return Err(MergeError::Forked { one, other, sequence: record.sequence });
            }
            let is_there = first.is_none();
            let is_same = same.is_known(record, is_there);
            // The journal itself is believed before what was merged from it; and what was taken out of one copy does
            // not come back by another.
            let is_itself = |holder: Holder| holder.is_some_and(|it| sources[it].id == *id);
            let by = found.iter().min_by_key(|(holder, it)| (!is_itself(*holder), !it.is_redacted));
            let by = by.and_then(|(holder, _)| *holder).filter(|_| !is_there && !is_same);
            for (number, it) in found.iter().filter_map(|(holder, it)| Some(((*holder)?, it))) {
                let report = &mut choice.reports[number];
                if by == Some(number) {
                    report.taken += 1;
                    choice.take[number].entry(*id).or_default().push(record.sequence);
                } else if is_same && !is_there {
                    report.same += 1;
                } else {
                    report.known += 1;
                    report.redacted_here +=
                        u64::from(is_there && it.is_redacted && !record.is_redacted);
                }
            }
        }
        same.end();
    }
    Ok(choice)
}

fn report(input: &Input, of: &Surveyed) -> MergedFrom {
    MergedFrom {
        path: input.journal.clone(),
        journal: of.id,
        events: of.size,
        own: of.own,
        lost: of.lost,
        ..MergedFrom::default()
    }
}

/// Records of one journal under one number, by who has them.
fn side_by_side(
    holders: Vec<(Holder, &[SeenRecord])>,
) -> impl Iterator<Item = Vec<(Holder, &SeenRecord)>> {
    let mut left = holders;
    std::iter::from_fn(move || {
        let next = left.iter().filter_map(|(_, it)| Some(it.first()?.sequence)).min()?;
        let mut found = Vec::new();
        for (holder, records) in &mut left {
            // Twice in one is what it is once: the same record was merged into it twice.
            while let Some((record, rest)) =
                records.split_first().filter(|(it, _)| it.sequence == next)
            {
                found.push((*holder, record));
                *records = rest;
            }
        }
        Some(found)
    })
}

/// What records say that were met in other journals.
#[derive(Default)]
struct Known {
    /// The journal whose word on a call is taken, and how much it tells; one that is there already is not overruled.
    calls: HashMap<ExecutionId, ([u8; 16], bool, Tells)>,
    /// How often an event was met, in the journal that has it most often.
    events: HashMap<[u8; 16], u32>,
    /// The same, in the journal at hand.
    here: HashMap<[u8; 16], u32>,
    journal: [u8; 16],
}

impl Known {
    fn note_calls(&mut self, journal: [u8; 16], is_there: bool, records: &[SeenRecord]) {
        for record in records {
            let Same::Call(execution, tells) = record.same else { continue };
            let known = self.calls.entry(execution).or_insert((journal, is_there, tells));
            let is_more = is_there && !known.1 || known.1 == is_there && tells > known.2;
            if known.0 == journal || is_more {
                *known = (journal, known.1 | is_there, known.2.max(tells));
            }
        }
    }

    /// Counts what is there already of a journal, wherever it stands among what is not.
    fn count_there<'a>(&mut self, all: impl Iterator<Item = Vec<(Holder, &'a SeenRecord)>>) {
        for found in all {
            if let Some((None, SeenRecord { same: Same::Event(said), .. })) = found.first() {
                *self.here.entry(*said).or_default() += 1;
            }
        }
    }

    fn end(&mut self) {
        for (said, times) in self.here.drain() {
            let known = self.events.entry(said).or_default();
            *known = times.max(*known);
        }
    }

    /// Whether another journal said it.
    fn is_known(&mut self, record: &SeenRecord, is_there: bool) -> bool {
        match record.same {
            Same::Unknown => false,
            Same::Event(_) if is_there => false,
            Same::Call(execution, _) => {
                !is_there && self.calls.get(&execution).is_some_and(|it| it.0 != self.journal)
            }
            Same::Event(said) => {
                let here = self.here.entry(said).or_default();
                *here += 1;
                *here <= self.events.get(&said).copied().unwrap_or_default()
            }
        }
    }
}
