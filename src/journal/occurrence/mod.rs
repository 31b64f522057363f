//! Which records of a journal hold a value, however it is written there: every field of every event,
//! content beside the journal, and what begins in one record and ends in a later one of its session.

mod by_rule;
mod shown;
mod split;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use annals_journal_format::Sequence as FormatSequence;
use annals_journal_format::frame::Flags;
use annals_journal_format::reader::{Entry, Item};

use super::replay::event_of;
use super::{JournalError, JournalReader};
use crate::event::{Content, Event, Kind, Sequence, SessionId};
use crate::redact::Redactor;
use crate::redact::value::Values;
use split::Ends;

pub use by_rule::{by_rules, each_by_rules};

/// A value in a record; nothing of what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    pub sequence: Sequence,
    pub kind: Kind,
    pub session: Option<SessionId>,
    pub at_ms: Option<u64>,
    /// The field of the event; `record` where it stands in none that is shown.
    pub field: String,
    /// Which of the values.
    pub value: usize,
    /// How it is written, or `in pieces`.
    pub form: &'static str,
    /// Its first byte in the field.
    pub offset: u64,
    /// What stands around it, without it and without any other secret.
    pub around: String,
}

/// What was found, and in how much.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    pub found: Vec<Occurrence>,
    /// In all; `found` has the first [`SHOWN_MAX`].
    pub count: u64,
    /// The records that hold it.
    pub records: BTreeSet<Sequence>,
    /// Of those the ones that hold a part of it alone.
    pub pieces: BTreeSet<Sequence>,
    /// Those that tell of the journal itself: they are never redacted.
    pub stays: BTreeSet<Sequence>,
    /// The contents beside the journal that hold it.
    pub blobs: BTreeSet<[u8; 32]>,
    /// How many records hold which value.
    pub by_value: BTreeMap<usize, u64>,
    pub events: u64,
    pub bytes: u64,
    /// Places of the journal, and contents beside it, that could not be read.
    pub unread: u64,
}

/// As many are told with their place.
pub const SHOWN_MAX: usize = 10_000;

impl JournalReader {
    /// Every record that holds one of these values.
    pub fn occurrences(
        self: &Rc<Self>,
        values: &Values,
        redactor: &Redactor,
    ) -> Result<Occurrences, JournalError> {
        let mut search = Search {
            reader: self,
            values,
            redactor,
            told: Occurrences::default(),
            contents: HashSet::new(),
            looked: HashSet::new(),
            ends: Ends::new(values),
            last: BTreeMap::new(),
        };
        let mut entries = self.reader.entries(FormatSequence(1));
        while let Some(item) = entries.next() {
            match item.map_err(|it| self.unread(it))? {
                Item::Entry(entry) => search.entry(&entry),
                Item::Finding(finding) if !finding.verdict.is_note() => search.told.unread += 1,
                Item::Finding(_) | Item::Commit(_) => {}
            }
        }
        Ok(search.told)
    }
}

struct Search<'r> {
    reader: &'r Rc<JournalReader>,
    values: &'r Values,
    redactor: &'r Redactor,
    told: Occurrences,
    /// The blake3 of contents that hold a value: who refers to one tells of it.
    contents: HashSet<[u8; 32]>,
    /// Of the contents beside the journal that were looked at.
    looked: HashSet<[u8; 32]>,
    ends: Ends,
    /// The last record of each value.
    last: BTreeMap<usize, Sequence>,
}

impl Search<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        if entry.flags.has(Flags::REDACTED) {
            return;
        }
        self.told.events += 1;
        self.told.bytes += entry.payload.len() as u64;
        let (sequence, kind) = (Sequence(entry.sequence.0), Kind(entry.kind));
        let holds = self.values.is_in(&entry.payload);
        let event = event_of(entry).ok(); // what cannot be read was looked at by its bytes
        let Some(event) = event else {
            if holds {
                self.take(self.whole(sequence, kind, None));
            }
            return;
        };
        let beside = self.beside(sequence, &event);
        let split = self.ends.join(sequence, &event, self.values);
        let last: BTreeSet<_> = split.iter().map(|(_, value)| (sequence, *value)).collect();
        for (at, value) in split.into_iter().chain(last) {
            let form = "in pieces";
            self.told.pieces.insert(at);
            self.take(Occurrence { value, form, ..self.whole(at, kind, Some(&event)) });
        }
        if !holds && !beside {
            return;
        }
        for content in event.body.contents() {
            if let Content::Inline(bytes) = content
                && self.values.is_in(bytes)
            {
                self.contents.insert(*blake3::hash(bytes).as_bytes());
            }
        }
        let in_fields = shown::in_fields(self.reader, sequence, &event, self.values, self.redactor);
        if in_fields.is_empty() {
            self.take(self.whole(sequence, kind, Some(&event)));
        }
        in_fields.into_iter().for_each(|it| self.take(it));
    }

    /// Whether what an event refers to holds a value.
    fn beside(&mut self, sequence: Sequence, event: &Event) -> bool {
        let mut holds = false;
        for content in event.body.contents() {
            match content {
                Content::Blob { hash, len } => {
                    if self.looked.insert(*hash) && !self.blob(hash, *len) {
                        self.told.unread += 1;
                    }
                    holds |= self.contents.contains(hash);
                }
                Content::Repeated { hash, len, .. } => {
                    // Beside the journal only where it was lifted out of what was redacted.
                    if !self.contents.contains(hash) && self.looked.insert(*hash) {
                        self.blob(hash, *len);
                    }
                    holds |= self.contents.contains(hash);
                }
                Content::Inline(_) | Content::Truncated { .. } => {}
            }
        }
        if holds {
            self.told.records.insert(sequence);
        }
        holds
    }

    /// Looks over a content beside the journal; whether it could be read.
    fn blob(&mut self, hash: &[u8; 32], len: u64) -> bool {
        let Ok(bytes) = self.reader.blobs().get(hash, len) else { return false };
        self.told.bytes += bytes.len() as u64;
        if self.values.is_in(&bytes) {
            self.contents.insert(*hash);
            self.told.blobs.insert(*hash);
        }
        true
    }

    fn whole(&self, sequence: Sequence, kind: Kind, event: Option<&Event>) -> Occurrence {
        Occurrence {
            sequence,
            kind,
            session: event.and_then(|it| it.envelope.session),
            at_ms: event.map(|it| it.envelope.at_ms),
            field: "record".to_owned(),
            value: 0,
            form: "plain",
            offset: 0,
            around: String::new(),
        }
    }

    fn take(&mut self, one: Occurrence) {
        let told = &mut self.told;
        told.count += 1;
        told.records.insert(one.sequence);
        if one.kind.is_of_journal() {
            told.stays.insert(one.sequence);
        }
        if self.last.insert(one.value, one.sequence) != Some(one.sequence) {
            *told.by_value.entry(one.value).or_default() += 1;
        }
        if told.found.len() < SHOWN_MAX {
            told.found.push(one);
        }
    }
}
