//! What an audit gathers from a journal's events, and who else is told them.

use std::collections::BTreeSet;

use annals_journal_format::frame::FrameHeader;
use annals_journal_format::scan::Verdict;
use annals_journal_format::verify::{Judge, Shown};

use super::ReplayItem;
use super::archive::{ToldArchived, told_by};
use super::redaction::Orders;
use crate::event;
use crate::event::{Content, EventError, Kind, Recorded, RecordedLoss, Sequence};

const RECORDED_MAX: usize = 1000;
const BLOBS_MAX: usize = 1 << 20;

/// Who is told what an audit reads, as a replay gives it; what is wrong between is the audit's to tell.
pub trait Listener {
    fn hear(&mut self, item: ReplayItem);
}

/// What is gathered on the way.
#[derive(Default)]
pub(super) struct Auditor<'l> {
    pub recorded: Vec<RecordedLoss>,
    pub blobs: BTreeSet<[u8; 32]>,
    pub orders: Orders,
    pub told_archived: Vec<ToldArchived>,
    pub repeated: BTreeSet<(Sequence, [u8; 32])>,
    pub listener: Option<&'l mut dyn Listener>,
}

impl Auditor<'_> {
    fn take(&mut self, event: &Recorded) {
        for content in event.event.body.contents() {
            match content {
                Content::Blob { hash, .. } if self.blobs.len() < BLOBS_MAX => {
                    self.blobs.insert(*hash);
                }
                Content::Repeated { sequence, hash, .. } if self.repeated.len() < BLOBS_MAX => {
                    self.repeated.insert((Sequence(*sequence), *hash));
                }
                _ => {}
            }
        }
        self.orders.take(event);
        told_by(event, &mut self.told_archived);
        let loss = RecordedLoss::of(event);
        self.recorded.extend(loss.filter(|_| self.recorded.len() < RECORDED_MAX));
    }

    fn tell(&mut self, item: ReplayItem) {
        if let Some(listener) = &mut self.listener {
            listener.hear(item);
        }
    }

    fn tell_unread(&mut self, header: &FrameHeader, error: EventError) {
        let (sequence, kind) = (Sequence(header.sequence.0), Kind(header.kind));
        self.tell(ReplayItem::unread(sequence, kind, header.flags, error));
    }
}

impl Judge for Auditor<'_> {
    fn event(&mut self, shown: Shown<'_>) -> Option<Verdict> {
        let Shown { header, payload, .. } = shown;
        match event::decode(Kind(header.kind), header.version, payload) {
            Ok(event) => {
                let (sequence, recorded_ms) = (Sequence(header.sequence.0), header.time_ms);
                let event = Recorded { sequence, recorded_ms, event };
                self.take(&event);
                self.tell(ReplayItem::Event(event));
                None
            }
            Err(error) => {
                use EventError::{NewerSchema, UnknownKind};
                // A newer build wrote it; no byte of it is wrong.
                let is_newer = matches!(error, UnknownKind { .. } | NewerSchema { .. });
                self.tell_unread(header, error);
                (!is_newer).then_some(Verdict::Undecodable)
            }
        }
    }

    fn redacted(&mut self, header: &FrameHeader) {
        self.tell_unread(header, EventError::Redacted { kind: Kind(header.kind) });
    }

    fn commit_ended(&mut self, mark: annals_journal_format::Mark) {
        self.tell(ReplayItem::CommitEnd(mark.into()));
    }
}
