//! Who reads the meaning of what is verified.

use crate::frame::FrameHeader;
use crate::scan::Verdict;
use crate::units::{Mark, Position};

/// An event as verifying shows it: its header, its place, its payload as it was recorded.
pub struct Shown<'a> {
    pub header: &'a FrameHeader,
    pub at: Position,
    pub payload: &'a [u8],
}

/// Who reads the meaning of events while the walk goes on, and says what is wrong with one.
pub trait Judge {
    /// One that is whole and not redacted.
    fn event(&mut self, shown: Shown<'_>) -> Option<Verdict>;

    /// One of which header and leaf are left.
    fn redacted(&mut self, _header: &FrameHeader) {}

    /// The events so far are whole commits.
    fn commit_ended(&mut self, _mark: Mark) {}
}

pub(super) struct Nobody;

impl Judge for Nobody {
    fn event(&mut self, _: Shown<'_>) -> Option<Verdict> {
        None
    }
}
