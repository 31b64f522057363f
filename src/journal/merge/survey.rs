//! What there is in a journal.

use std::collections::BTreeMap;

use annals_journal_format::frame::{Carried, Flags};
use annals_journal_format::tree::{Builder, Hash};

use super::source::Walker;
use super::{Input, MergeError, is_own, through};
use crate::event::{self, Body, Content, Event, ExecutionId, Kind, Ordered, Sequence};

/// A record that was seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenRecord {
    /// Its number where it comes from, and in the journal at hand.
    pub sequence: u64,
    pub local: u64,
    /// The beginning of its leaf where it comes from.
    pub leaf: [u8; 16],
    pub is_redacted: bool,
    pub same: Same,
}

/// What makes it the same as another journal's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Same {
    /// It is of a call, and tells so much of it.
    Call(ExecutionId, Tells),
    /// It says the same.
    Event([u8; 16]),
    /// Nobody can say: it is redacted, or of a newer program.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tells {
    Start,
    GivenUp,
    End,
}

/// What there is in a journal.
#[derive(Debug)]
pub(super) struct Surveyed {
    pub id: [u8; 16],
    /// What the journal says its project is called, or whoever named it does.
    pub project: String,
    /// Its last event.
    pub last: Sequence,
    pub last_ms: u64,
    /// Its events, and the root over them; zeros where something is lost.
    pub size: u64,
    pub root: Hash,
    pub first_ms: Option<u64>,
    /// Records of it and of journals that were merged into it, by those journals, each in their order.
    pub records: BTreeMap<[u8; 16], Vec<SeenRecord>>,
    /// Facts about itself.
    pub own: u64,
    pub lost: u64,
    /// It has records of its own that a new journal has not.
    pub has_own: bool,
    /// Others were merged into it.
    pub is_merged: bool,
}

impl Surveyed {
    pub fn of(input: &Input) -> Result<Self, MergeError> {
        let (reader, last) = through(input)?;
        let mut walker = Walker::of(input, last)?;
        let (mut builder, mut size) = (Builder::default(), 0);
        let mut found = Self {
            id: walker.id,
            project: reader.project().unwrap_or(&input.label).to_owned(),
            last,
            last_ms: 0,
            size: 0,
            root: Hash::default(),
            first_ms: None,
            records: BTreeMap::new(),
            own: 0,
            lost: 0,
            has_own: false,
            is_merged: false,
        };
        while let Some(unit) = walker.next()? {
            for it in unit {
                builder.push(it.carried.leaf(), &mut |_, _| {});
                size += 1;
                found.first_ms.get_or_insert(it.carried.time_ms);
                found.last_ms = found.last_ms.max(it.carried.time_ms);
                if is_own(it.carried.kind) {
                    found.own += 1;
                    found.is_merged |= Kind(it.carried.kind) == Kind::JOURNALS_MERGED;
                    continue;
                }
                found.has_own |= it.origin.journal == found.id && !is_of_init(it.carried.kind);
                let mut leaf = [0; 16];
                leaf.copy_from_slice(&it.origin.leaf[..16]);
                found.records.entry(it.origin.journal).or_default().push(SeenRecord {
                    sequence: it.origin.sequence.0,
                    local: it.local,
                    leaf,
                    is_redacted: it.carried.flags.has(Flags::REDACTED),
                    same: same(&it.carried),
                });
            }
        }
        for records in found.records.values_mut() {
            // In order already, but where a journal was put together by hand.
            records.order_by_key(|it| it.sequence);
        }
        (found.lost, found.size) = (walker.lost, size);
        if found.lost == 0 && reader.begins_after() == Sequence(0) {
            found.root = builder.root();
        }
        Ok(found)
    }
}

/// Tools and checks are declared when a project is made.
fn is_of_init(kind: u16) -> bool {
    kind >> 8 == 3
}

fn same(carried: &Carried) -> Same {
    // What cannot be read is nobody's double.
    let decoded = carried.payload().ok().and_then(|payload| {
        event::decode(Kind(carried.kind), carried.version, &payload).ok() // as above
    });
    let Some(mut event) = decoded else { return Same::Unknown };
    match &event.body {
        Body::ExecutionStarted(it) => return Same::Call(it.execution, Tells::Start),
        Body::ExecutionFinished(it) => return Same::Call(it.execution, Tells::End),
        Body::ExecutionInterrupted(it) => return Same::Call(it.execution, Tells::GivenUp),
        Body::ExecutionCorrected(it) => return Same::Call(it.corrects, Tells::End),
        _ => {}
    }
    said(&mut event, carried.kind).map_or(Same::Unknown, Same::Event)
}

/// What an event says, wherever its contents lie.
fn said(event: &mut Event, kind: u16) -> Option<[u8; 16]> {
    for content in event.body.contents_mut() {
        let (hash, len) = match content {
            Content::Inline(bytes) => (*blake3::hash(bytes).as_bytes(), bytes.len() as u64),
            Content::Repeated { hash, len, .. } => (*hash, *len),
            Content::Blob { .. } | Content::Truncated { .. } => continue,
        };
        *content = Content::Blob { hash, len };
    }
    let mut bytes = kind.to_le_bytes().to_vec();
    event::encode(event, &mut bytes).ok()?; // too large to say: nobody's double
    let mut said = [0; 16];
    said.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..16]);
    Some(said)
}
