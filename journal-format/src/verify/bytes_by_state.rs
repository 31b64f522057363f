//! Where a journal's bytes go.

use std::ops::AddAssign;

/// Where the bytes of segments go; the sum is the files' length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BytesByState {
    /// Header pages.
    pub header: u64,
    /// Valid event frames.
    pub frames: u64,
    /// Valid control frames.
    pub control: u64,
    /// Damaged, or lost though acknowledged.
    pub damaged: u64,
    /// Cut, or beyond the bound that a successor set.
    pub void: u64,
    /// Zeros prepared for later frames.
    pub free: u64,
}

impl BytesByState {
    pub fn total(&self) -> u64 {
        self.header + self.frames + self.control + self.damaged + self.void + self.free
    }
}

impl AddAssign for BytesByState {
    fn add_assign(&mut self, other: Self) {
        self.header += other.header;
        self.frames += other.frames;
        self.control += other.control;
        self.damaged += other.damaged;
        self.void += other.void;
        self.free += other.free;
    }
}
