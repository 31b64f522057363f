//! Something wrong, with its place.

use std::fmt;

use crate::scan::Verdict;
use crate::units::{Position, Sequence};

/// Something wrong, with its place and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    pub verdict: Verdict,
    pub at: Position,
    pub bytes: u64,
    /// First and last sequence that are lost or in doubt; `None` where no event is.
    pub lost: Option<(Sequence, Sequence)>,
    /// Whether `lost` is exact; at a damaged tail only its first is known.
    pub exact: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { verdict, at, bytes, lost, exact } = self;
        write!(f, "{verdict} in segment {} at byte {}", at.segment, at.offset)?;
        if *bytes > 0 {
            write!(f, " ({bytes} bytes)")?;
        }
        match lost {
            Some((first, last)) if first == last && *exact => write!(f, ": sequence {first}"),
            Some((first, last)) if *exact => write!(f, ": sequences {first} to {last}"),
            Some((first, _)) => write!(f, ": from sequence {first} on"),
            None => Ok(()),
        }
    }
}
