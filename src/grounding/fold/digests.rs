//! Ids and digests; of calls that ended, fewer bytes.

use std::collections::VecDeque;

use crate::event::derived::{Decode, Encode};
use crate::event::target::CallDigest;
use crate::event::{CallKey, ExecutionId, RepoHash, SessionId};

/// Sixteen bytes: an id, or a digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Encode, Decode)]
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

/// Calls that ended, by tag, the newest last, each with a few bytes of its arguments' digest; of more than is
/// kept the oldest are forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct EndedCalls(VecDeque<(u64, Told)>);

/// What a hook told a call's arguments to be: the beginning of their digest; 0 where none told.
type Told = u32;

/// Calls that are kept: more than nearly any session has.
pub(super) const CALLS_MAX: usize = 4_096;

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

    pub fn is_bounded(&self) -> bool {
        self.0.len() <= CALLS_MAX
    }

    /// Whether more may have ended than are kept.
    pub fn is_full(&self) -> bool {
        self.0.len() >= CALLS_MAX
    }
}
