//! Sixteen bytes as JSON has them: 32 hexadecimal digits.

use serde::{Deserialize, Serialize};

use crate::event::target::CallDigest;
use crate::event::{CallKey, ExecutionId, RepoHash, SessionId};

/// Sixteen bytes: an id, or a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hex(pub [u8; 16]);

impl Hex {
    /// The digest of an agent's call.
    pub fn of_call(call: &CallKey) -> Self {
        Self::of_text("call", &call.to_text())
    }

    /// The digest of a text; zeros for none.
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
        let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
        hex.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

impl TryFrom<String> for Hex {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let wrong = "no 32 hexadecimal digits";
        let digits: Option<Vec<u8>> =
            text.chars().map(|c| c.to_digit(16).and_then(|d| u8::try_from(d).ok())).collect(); // < 16
        let digits = digits.filter(|digits| digits.len() == 32).ok_or(wrong)?;
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(Self(bytes))
    }
}
