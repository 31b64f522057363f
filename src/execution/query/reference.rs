//! How people name an execution (DESIGN §3).

use std::fmt;

use super::QueryError;
use crate::event::Sequence;

/// How people name an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// `last`: the newest by sequence.
    Last,
    /// `142`: the rowid in `execution_log.db`.
    Ordinal(u64),
    /// `@4711`: any event of the execution.
    Sequence(Sequence),
    /// A UUID, or its beginning.
    Id(String),
}

/// Digits of an id that must be given; fewer are an ordinal or a slip.
const ID_DIGITS_MIN: usize = 4;

impl Reference {
    /// Reads a reference. Digits alone are an ordinal; `#142` is accepted where a shell lets it
    /// through.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let refused = || QueryError::NoReference { text: text.to_owned() };
        if text == "last" {
            return Ok(Self::Last);
        }
        if let Some(sequence) = text.strip_prefix('@') {
            return sequence.parse().map(|at| Self::Sequence(Sequence(at))).map_err(|_| refused());
        }
        let digits = text.strip_prefix('#').unwrap_or(text);
        // Twelve digits can only be the beginning of a UUID's.
        if digits.len() < 12 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return digits.parse().map(Self::Ordinal).map_err(|_| refused());
        }
        let plain = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        if text.len() >= ID_DIGITS_MIN && text.len() <= 36 && text.bytes().all(plain) {
            return Ok(Self::Id(text.to_ascii_lowercase()));
        }
        Err(refused())
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str("last"),
            Self::Ordinal(ordinal) => write!(f, "{ordinal}"),
            Self::Sequence(sequence) => write!(f, "{sequence}"),
            Self::Id(id) => f.write_str(id),
        }
    }
}
