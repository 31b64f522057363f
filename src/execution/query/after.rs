//! Where a page ended: what the next one begins after.

use std::fmt;
use std::str::FromStr;

use super::QueryError;
use crate::store::Ask;

/// Where a page ended. As text `1766534400000:4711`; what it means is the query's own affair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct After {
    /// The item's time, Unix milliseconds.
    pub at_ms: u64,
    /// Its sequence, which tells items of one millisecond apart.
    pub sequence: u64,
}

impl After {
    /// What SQL compares with `(at_ms, at_seq)`.
    pub(crate) fn values(self) -> [Ask; 2] {
        [number(self.at_ms), number(self.sequence)]
    }
}

/// A number as SQLite holds it.
pub(crate) fn number(value: u64) -> Ask {
    Ask::Number(i64::try_from(value).unwrap_or(i64::MAX))
}

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.at_ms, self.sequence)
    }
}

impl FromStr for After {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Self, QueryError> {
        let read = || {
            let (at_ms, sequence) = text.split_once(':')?;
            Some(Self { at_ms: at_ms.parse().ok()?, sequence: sequence.parse().ok()? })
        };
        read().ok_or_else(|| QueryError::NoCursor { text: text.to_owned() })
    }
}
