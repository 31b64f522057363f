//! A segment's file name.

use std::fmt;

use crate::units::{SegmentNumber, Sequence};

/// `{number:010}-{first sequence:020}.seg`: sorts as the journal runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentName {
    pub number: SegmentNumber,
    pub first_sequence: Sequence,
}

impl SegmentName {
    /// Reads a file name; anything but exactly the form above is `None`.
    pub fn parse(name: &str) -> Option<Self> {
        let (number, first) = name.strip_suffix(".seg")?.split_once('-')?;
        let digits = |text: &str, width| {
            (text.len() == width && text.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| text.parse::<u64>().ok())?
        };
        Some(Self {
            number: SegmentNumber(digits(number, 10)?),
            first_sequence: Sequence(digits(first, 20)?),
        })
    }
}

impl fmt::Display for SegmentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:010}-{:020}.seg", self.number.0, self.first_sequence.0)
    }
}
