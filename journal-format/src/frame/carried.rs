//! A frame of one journal that is to lie in another.

use sha2::{Digest, Sha256};

use super::header::{array_at, u32_at, u64_at};
use super::layout::*;
use super::leaf::LEAF_PREFIX;
use super::redact::GONE;
use super::{Flags, FrameHeader, PayloadError, open_payload, store_payload};
use crate::units::Sequence;

/// A frame as it lies in one journal, to be laid in another under another number. What its leaf is made of stays,
/// salt and payload (or what redaction left of them) included, but for that number and where its commit begins and
/// ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    pub kind: u16,
    pub version: u8,
    pub flags: Flags,
    pub sequence: Sequence,
    pub time_ms: u64,
    salt: [u8; 16],
    payload_bytes: u32,
    /// The payload as stored, then zeros; of a redacted one, what is left.
    body: Vec<u8>,
}

impl Carried {
    /// That of a valid frame, given its bytes, which may go on behind it.
    pub fn of(frame: &[u8]) -> Self {
        let payload_bytes = u32_at(frame, PAYLOAD_LEN_AT);
        let end = HEADER_BYTES + body_bytes(payload_bytes as usize);
        Self {
            kind: u16::from_le_bytes([frame[KIND_AT], frame[KIND_AT + 1]]),
            version: frame[VERSION_AT],
            flags: Flags(frame[FLAGS_AT]),
            sequence: Sequence(u64_at(frame, SEQUENCE_AT)),
            time_ms: u64_at(frame, TIME_AT),
            salt: array_at(frame, SALT_AT),
            payload_bytes,
            body: frame[HEADER_BYTES..end].to_vec(),
        }
    }

    /// The same record with another payload, and so another leaf.
    #[must_use]
    pub fn with_payload(&self, payload: &[u8], salt: [u8; 16], compress_bytes_min: usize) -> Self {
        let stored = store_payload(payload, &salt, Some(compress_bytes_min));
        let kept = Flags(self.flags.0 & Flags::FIRST.with(Flags::LAST).with(Flags::SKIPPABLE).0);
        let mut body = stored.bytes.to_vec();
        body.resize(body_bytes(stored.bytes.len()), 0);
        Self {
            flags: kept.with(stored.flags),
            salt,
            payload_bytes: stored.bytes.len() as u32,
            body,
            ..*self
        }
    }

    /// The same record without what it holds, as [`super::redact`] leaves it: its leaf stays.
    #[must_use]
    pub fn redacted(mut self) -> Self {
        if !self.flags.has(Flags::REDACTED) {
            let inner = blake3::Hasher::new().update(&self.salt).update(self.stored()).finalize();
            let (salt, rest) = inner.as_bytes().split_at(self.salt.len());
            self.salt.copy_from_slice(salt);
            self.body[..rest.len()].copy_from_slice(rest);
            self.body[rest.len()..].fill(GONE);
            self.flags = self.flags.with(Flags::REDACTED);
        }
        self
    }

    /// What was recorded.
    ///
    /// # Errors
    /// Where it was redacted, or does not open.
    pub fn payload(&self) -> Result<Vec<u8>, PayloadError> {
        let header = FrameHeader {
            payload_bytes: self.payload_bytes,
            kind: self.kind,
            flags: self.flags,
            version: self.version,
            sequence: self.sequence,
            time_ms: self.time_ms,
            salt: self.salt,
        };
        open_payload(&header, self.stored()).map(std::borrow::Cow::into_owned)
    }

    /// Its leaf, by the number, the time and the flags that it has here (FORMAT.md §6).
    pub fn leaf(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(LEAF_PREFIX);
        hasher.update(self.payload_bytes.to_le_bytes());
        hasher.update(self.kind.to_le_bytes());
        hasher.update([self.flags.without(Flags::REDACTED).0, self.version]);
        hasher.update(self.sequence.0.to_le_bytes());
        hasher.update(self.time_ms.to_le_bytes());
        match self.flags.has(Flags::REDACTED) {
            true => {
                hasher.update(self.salt);
                hasher.update(&self.body[..BODY_BYTES_MIN]);
            }
            false => {
                let inner =
                    blake3::Hasher::new().update(&self.salt).update(self.stored()).finalize();
                hasher.update(inner.as_bytes());
            }
        }
        hasher.finalize().into()
    }

    /// Bytes of its frame, where it is not the last of its commit.
    pub fn frame_bytes(&self) -> usize {
        frame_bytes(self.payload_bytes as usize, false)
    }

    fn stored(&self) -> &[u8] {
        &self.body[..self.payload_bytes as usize]
    }

    /// Appends its frame to `out`, as [`super::lay_frame`] does.
    pub fn lay(&self, out: &mut Vec<u8>) {
        let draft = super::Draft {
            kind: self.kind,
            version: self.version,
            flags: self.flags,
            time_ms: self.time_ms,
            salt: self.salt,
            stored: self.stored(),
            // What redaction left may be more than the payload was.
            rest: &self.body[self.payload_bytes as usize..],
        };
        super::lay_frame(&draft, out);
    }
}
