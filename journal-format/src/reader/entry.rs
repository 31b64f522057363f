//! One record, read back.

use std::borrow::Cow;

use crate::frame::{Flags, FrameHeader, PayloadError, open_payload};
use crate::units::{Position, Sequence};

/// One record, its payload lent from the journal's bytes where it lies there as recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    pub sequence: Sequence,
    pub kind: u16,
    /// The kind's schema number.
    pub version: u8,
    pub flags: Flags,
    /// When the journal took it, Unix milliseconds.
    pub time_ms: u64,
    /// As recorded; empty where `flags` has REDACTED.
    pub payload: Cow<'a, [u8]>,
    pub position: Position,
    /// Every frame of its commit is there.
    pub commit_whole: bool,
}

/// An [`Entry`] that owns its payload.
pub type OwnedEntry = Entry<'static>;

impl<'a> Entry<'a> {
    pub(super) fn open(
        header: &FrameHeader,
        stored: &'a [u8],
        position: Position,
        commit_whole: bool,
    ) -> Result<Self, PayloadError> {
        let payload = match open_payload(header, stored) {
            Ok(payload) => payload,
            Err(PayloadError::Redacted) => Cow::Borrowed(&[][..]),
            Err(error) => return Err(error),
        };
        Ok(Self {
            sequence: header.sequence,
            kind: header.kind,
            version: header.version,
            flags: header.flags,
            time_ms: header.time_ms,
            payload,
            position,
            commit_whole,
        })
    }

    /// The same with a payload of its own.
    pub fn into_owned(mut self) -> OwnedEntry {
        let payload = Cow::Owned(std::mem::take(&mut self.payload).into_owned());
        Entry { payload, ..self.without_payload() }
    }

    /// The same with an empty payload.
    pub(super) fn without_payload(&self) -> OwnedEntry {
        let Entry { sequence, kind, version, flags, time_ms, position, commit_whole, .. } = *self;
        let payload = Cow::Borrowed(&[][..]);
        Entry { sequence, kind, version, flags, time_ms, payload, position, commit_whole }
    }
}
