//! A secret that was recorded: found however it is written, taken out of everything that annals wrote,
//! kept from coming back, and looked for once more.
//!
//! [`find`] says what would go; [`take_out`] destroys it by the mechanism of [`crate::journal::redaction`];
//! [`held`] and [`transcripts`] say who still has it.

pub mod chosen;
mod debugged;
pub mod elsewhere;
pub mod held;
mod quoting;
pub mod retention;
pub mod transcripts;

use std::collections::BTreeSet;
use std::io;
use std::rc::Rc;

use crate::event::{Event, OrderId, Sequence};
use crate::fault::{Class, Fault, Sorted};
use crate::journal::occurrence::{Occurrences, by_rules};
use crate::journal::redaction::{Plan, RedactionError, begin, lift, plan};
use crate::journal::{JournalError, JournalReader, Project, ProjectError, clock, id, withheld};
use crate::redact::Redactor;
use crate::redact::value::Values;
use crate::store::evidence::Cache;
use crate::stores::redaction::{Redacted, finish};

/// What shorter than this is a value turns up by chance: it must be meant.
pub const SHORT_BYTES: usize = 8;
/// What shorter than this is a value is never looked for.
pub const VALUE_BYTES_MIN: usize = 4;
/// A value in more than this share of at least [`COMMON_MIN`] records must be meant.
const COMMON_SHARE: u64 = 4;
const COMMON_MIN: u64 = 20;

#[derive(Debug, thiserror::Error)]
pub enum LeakError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Redaction(#[from] RedactionError),
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error("a value of {bytes} bytes cannot be looked for: name its records instead")]
    TooShort { bytes: usize },
    #[error("a value of {bytes} bytes turns up by chance: --common says that it is meant")]
    Short { bytes: usize },
    #[error("a value stands in {records} of {events} records: --common says that it is meant")]
    Common { records: u64, events: u64 },
    #[error("more values than can be looked for at once")]
    TooMany,
    #[error("{what} holds the value, or another secret, and would stay in the journal")]
    InWords { what: &'static str },
    #[error("what must not come back could not be kept beside the signing key")]
    Keep(#[source] io::Error),
}

impl Fault for LeakError {
    fn sorted(&self) -> Sorted {
        match self {
            Self::Journal(error) => error.sorted(),
            Self::Redaction(error) => error.sorted(),
            Self::Project(error) => error.sorted(),
            Self::Keep(source) => crate::journal::fault::of_io(source),
            _ => Class::Refused.alone(),
        }
    }
}

/// What is to go.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Records, whatever they hold.
    pub records: BTreeSet<Sequence>,
    /// Values, with the rule that found each.
    pub values: Vec<(Vec<u8>, Option<String>)>,
    /// A value that is short, or in many records, is meant.
    pub common: bool,
    /// Later records that only refer to a content of these keep it.
    pub is_shared: bool,
}

impl Wanted {
    /// What the rules find in a journal, or one of them.
    pub fn by_rules(
        reader: &Rc<JournalReader>,
        redactor: &Redactor,
        rule: Option<&str>,
    ) -> Result<Self, JournalError> {
        let found = by_rules(reader, redactor, rule)?;
        Ok(Self {
            records: found.records.into_iter().map(|(at, _)| at).collect(),
            values: found.values.into_iter().map(|(value, rule)| (value, Some(rule))).collect(),
            ..Self::default()
        })
    }

    fn bytes(&self) -> Vec<Vec<u8>> {
        self.values.iter().map(|(value, _)| value.clone()).collect()
    }
}

/// What would go.
pub struct Found {
    /// `None` where records were named and no value.
    pub values: Option<Values>,
    pub told: Occurrences,
    /// What goes, in order: what was named, what holds a value, what quotes or repeats one of those.
    pub records: BTreeSet<Sequence>,
    /// Of `records` those that are neither: their content is only a reference to one that goes.
    pub along: Vec<Sequence>,
    /// Later records that keep theirs.
    pub repeated: BTreeSet<Sequence>,
    /// Records that hold a value and tell of the journal itself: they stay.
    pub stays: Vec<Sequence>,
    /// Of the records that were named for themselves the events, to know them again.
    named: Vec<Event>,
    /// What happened before does not come back, Unix milliseconds.
    before_ms: Option<u64>,
    bytes: Vec<Vec<u8>>,
    /// Of `records` those whose contents go wherever they are referred to.
    whole: BTreeSet<Sequence>,
}

/// What of a journal would go, as [`take_out`] will have it. Changes nothing.
pub fn find(
    reader: &Rc<JournalReader>,
    wanted: &Wanted,
    redactor: &Redactor,
) -> Result<Found, LeakError> {
    let bytes = wanted.bytes();
    for value in &bytes {
        match value.len() {
            short if short < VALUE_BYTES_MIN => return Err(LeakError::TooShort { bytes: short }),
            short if short < SHORT_BYTES && !wanted.common => {
                return Err(LeakError::Short { bytes: short });
            }
            _ => {}
        }
    }
    let values = match bytes.is_empty() {
        true => None,
        false => Some(Values::new(&bytes).ok_or(LeakError::TooMany)?),
    };
    let told = match &values {
        Some(values) => reader.occurrences(values, redactor)?,
        None => Occurrences::default(),
    };
    for (_, records) in told.by_value.iter().filter(|_| !wanted.common) {
        let (records, events) = (*records, told.events);
        if records >= COMMON_MIN && records * COMMON_SHARE > events {
            return Err(LeakError::Common { records, events });
        }
    }
    let mut records: BTreeSet<_> = told.records.iter().chain(&wanted.records).copied().collect();
    // What holds the value itself was found by it, also where it is only referred to.
    let mut whole: BTreeSet<_> = wanted.records.iter().chain(&told.pieces).copied().collect();
    let along = if wanted.is_shared { BTreeSet::new() } else { whole.clone() };
    if !along.is_empty() {
        whole.extend(plan(reader, &whole, &along)?.referrers);
    }
    records.extend(quoting::quoting(reader, &whole)?);
    records.retain(|at| !told.stays.contains(at));
    let planned = match records.is_empty() {
        true => Plan::default(),
        false => plan(reader, &records, &along)?,
    };
    records.extend(&planned.referrers);
    let mut named = Vec::new();
    let for_itself = wanted.records.iter().chain(&planned.referrers);
    for at in for_itself.filter(|at| !told.records.contains(at)) {
        // One that cannot be read has no call that could come back.
        if let Ok(Some(recorded)) = reader.get(*at) {
            named.push(recorded.event);
        }
    }
    let stays = told.stays.iter().copied().collect();
    let repeated = planned.lifted.iter().map(|(at, _)| *at).collect();
    Ok(Found {
        values,
        told,
        records,
        along: planned.referrers,
        repeated,
        stays,
        named,
        before_ms: None,
        bytes,
        whole: along,
    })
}

impl Found {
    /// Holds that a text may stay in the journal for good.
    pub fn must_not_be_in(
        &self,
        what: &'static str,
        project: &Project,
        text: &str,
    ) -> Result<(), LeakError> {
        let holds = |values: &Values| values.is_in(text.as_bytes());
        match self.values.as_ref().is_some_and(holds)
            || project.redactor().redact_text(text) != text
        {
            true => Err(LeakError::InWords { what }),
            false => Ok(()),
        }
    }

    /// All that happened before goes: then nothing is kept of each.
    pub fn forget_before(&mut self, at_ms: u64) {
        self.named.clear();
        self.before_ms = Some(at_ms);
    }
}

/// Why, by whom, and by which order.
#[derive(Clone, Debug)]
pub struct Given {
    pub order: OrderId,
    pub at_ms: u64,
    pub by: String,
    pub reason: String,
    pub rule: Option<String>,
}

impl Given {
    pub fn now(by: String, reason: String, rule: Option<String>) -> Self {
        let at_ms = clock::now_ms();
        let mut entropy = [0; 10];
        entropy.copy_from_slice(&id::entropy()[..10]);
        Self { order: OrderId::v7(at_ms, &entropy), at_ms, by, reason, rule }
    }

    /// Holds that nothing of what goes, is withheld or is known by a rule stays in its words.
    pub fn must_hold_nothing(&self, project: &Project, found: &Found) -> Result<(), LeakError> {
        found.must_not_be_in("the reason", project, &self.reason)?;
        found.must_not_be_in("who gives it", project, &self.by)?;
        found.must_not_be_in("the rule", project, self.rule.as_deref().unwrap_or_default())
    }
}

/// What was done.
pub struct TakenOut {
    /// What went, and what was gone before.
    pub plan: Plan,
    pub redacted: Redacted,
    /// How many values are too short to be known again.
    pub unkept: u64,
}

/// Takes out of a project what was found: first what keeps it from coming back, then the event, then
/// everything that holds it.
pub fn take_out(
    project: &Project,
    found: &Found,
    given: &Given,
    cache: &Cache,
) -> Result<TakenOut, LeakError> {
    given.must_hold_nothing(project, found)?;
    let reader = project.reader()?;
    let planned = plan(&reader, &found.records, &found.whole)?;
    let unkept = keep(found, given.order, &reader)?;
    if !planned.is_empty() {
        lift(project, &reader, &planned)?;
        let Given { order, at_ms, by, reason, rule } = given.clone();
        begin(project, &planned.clone().order(order, at_ms, by, reason, rule))?;
        withheld::note(&project.journal_dir(), &reader.id(), given.order);
    }
    let redacted = finish(project, cache)?;
    Ok(TakenOut { plan: planned, redacted, unkept })
}

fn keep(found: &Found, order: OrderId, reader: &JournalReader) -> Result<u64, LeakError> {
    let before = found.before_ms.map(|at_ms| (reader.id(), at_ms));
    let leaves = reader.leaves_of(&found.records)?;
    let Some(path) = withheld::file() else {
        return Err(LeakError::Keep(io::Error::other("there is no home folder for it: set HOME")));
    };
    withheld::keep(&path, order, &found.bytes, &found.named, before)
        .and_then(|unkept| withheld::keep_leaves(&path, &leaves).map(|()| unkept))
        .map_err(LeakError::Keep)
}
