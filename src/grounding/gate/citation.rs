//! Executions that a text cites: `#142`, `execution 142`, a UUID.

use std::fmt;

use crate::event::ExecutionId;

/// An execution as a text cites it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Citation {
    /// `#142`, `execution 142`
    Ordinal(u64),
    /// A UUID.
    Id(ExecutionId),
}

/// Citations of one text that are looked at.
pub(super) const CITATIONS_MAX: usize = 64;
/// Bytes of a text that are read.
pub(super) const TEXT_BYTES_MAX: usize = 64 << 10;
/// A hyphenated UUID.
const UUID_BYTES: usize = 36;

impl Citation {
    pub(super) fn read(word: &str, is_number: bool) -> Option<Self> {
        if word.len() == UUID_BYTES && word.is_ascii() {
            return uuid::Uuid::try_parse(word)
                .ok() // then it cites nothing
                .map(|id| Self::Id(ExecutionId(id.into_bytes())));
        }
        let digits = match word.strip_prefix('#') {
            Some(digits) => digits,
            None => Some(word).filter(|_| is_number)?,
        };
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        // A number beyond all numbers is an execution that does not exist.
        plain.then(|| Self::Ordinal(digits.parse().unwrap_or(u64::MAX)))
    }
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ordinal(ordinal) => ordinal.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}
