//! Ids and digests as JSON has them: 32 hexadecimal digits; of calls that ended, fewer.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::packed;
use crate::event::target::CallDigest;
use crate::event::{CallKey, ExecutionId, RepoHash, SessionId, wire};

/// Sixteen bytes: an id, or a digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hex(pub [u8; 16]);

impl Hex {
    pub fn of_call(call: &CallKey) -> Self {
        Self::of_text("call", &call.to_text())
    }

    pub fn of_text(domain: &str, text: &str) -> Self {
        let mut hash = blake3::Hasher::new();
        hash.update(domain.as_bytes()).update(b"\0").update(text.as_bytes());
        let mut short = [0; 16];
        short.copy_from_slice(&hash.finalize().as_bytes()[..16]);
        Self(short)
    }

    /// The first half of a repository's hash.
    pub fn of_repo(repo: RepoHash) -> Self {
        let mut half = [0; 16];
        half.copy_from_slice(&repo.0[..16]);
        Self(half)
    }

    pub fn execution(self) -> ExecutionId {
        ExecutionId(self.0)
    }

    pub fn session(self) -> SessionId {
        SessionId(self.0)
    }

    /// What a call's digest is remembered by; never 0.
    pub fn call_tag(self) -> u64 {
        self.tag().max(1)
    }

    /// Its first four bytes; never 0.
    pub fn beginning(self) -> u32 {
        let [a, b, c, d, ..] = self.0;
        u32::from_be_bytes([a, b, c, d]).max(1)
    }

    /// Eight bytes for it, where many are kept. Mixed: ids whose halves are alike differ too.
    pub fn tag(self) -> u64 {
        let half = |at: usize| self.0[at..at + 8].iter().fold(0, |sum, b| sum << 8 | u64::from(*b));
        let first: u64 = half(0);
        first.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) ^ half(8)
    }
}

impl From<ExecutionId> for Hex {
    fn from(id: ExecutionId) -> Self {
        Self(id.0)
    }
}

impl From<SessionId> for Hex {
    fn from(id: SessionId) -> Self {
        Self(id.0)
    }
}

impl From<CallDigest> for Hex {
    fn from(digest: CallDigest) -> Self {
        Self(digest.0)
    }
}

impl From<Hex> for String {
    fn from(hex: Hex) -> Self {
        wire::hex_text(&hex.0)
    }
}

impl TryFrom<String> for Hex {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let are_digits = text.len() == 32 && text.bytes().all(|it| it.is_ascii_hexdigit());
        let number = u128::from_str_radix(&text, 16).ok().filter(|_| are_digits);
        number.map(|it| Self(it.to_be_bytes())).ok_or("no 32 hexadecimal digits")
    }
}

/// Calls that ended, by tag, the newest last, each with a few bytes of its arguments' digest; of more than is
/// kept the oldest are forgotten. In JSON one text: it is read and written with every call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct EndedCalls(VecDeque<(u64, Told)>);

/// What a hook told a call's arguments to be: the beginning of their digest; 0 where none told.
type Told = u32;

/// Calls that are kept: more than nearly any session has.
const CALLS_MAX: usize = 4_096;
/// A call in the text, and of that its tag.
const CALL_BYTES: usize = 12;
const TAG_BYTES: usize = 8;

impl EndedCalls {
    pub fn add(&mut self, call: u64, told: Told) {
        if !self.has(call) {
            super::push(&mut self.0, (call, told), CALLS_MAX);
        }
    }

    pub fn has(&self, call: u64) -> bool {
        self.told(call).is_some()
    }

    pub fn told(&self, call: u64) -> Option<Told> {
        self.0.iter().find(|(known, _)| *known == call).map(|(_, told)| *told)
    }

    /// Whether more may have ended than are kept.
    pub fn is_full(&self) -> bool {
        self.0.len() >= CALLS_MAX
    }
}

impl From<EndedCalls> for String {
    fn from(calls: EndedCalls) -> Self {
        packed::pack(calls.0.iter().map(|(call, told)| {
            let mut bytes = [0; CALL_BYTES];
            bytes[..TAG_BYTES].copy_from_slice(&call.to_be_bytes());
            bytes[TAG_BYTES..].copy_from_slice(&told.to_be_bytes());
            bytes
        }))
    }
}

impl TryFrom<String> for EndedCalls {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let call = |bytes: &[u8; CALL_BYTES]| {
            let told = bytes.last_chunk().map(|it| Told::from_be_bytes(*it))?;
            Some((packed::number(bytes, 0)?, told))
        };
        let calls = packed::unpack(&text, CALLS_MAX, call);
        calls.map(Self).ok_or("no calls as they are kept, or more")
    }
}
