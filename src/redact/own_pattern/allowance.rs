//! What a user's patterns may cost in one event: counted in steps and matches, by no clock, so that the
//! same text ends the same way on every machine.
//!
//! The user's own have all of it, one after the other, and where it is used up the text goes whole: what
//! they would have found is not known. A stranger's have each a share of what is left, and one that uses
//! up its share stops there: it can take from a text what it finds, and no more by being slow.

/// Steps that an event has however little text it holds: a fraction of a second.
const STEPS: u64 = 1 << 25;
/// And more for each byte that patterns look at, all patterns together.
const STEPS_PER_BYTE: u64 = 64;
/// Markers that patterns leave in one event.
pub(super) const MATCHES_MAX: u32 = 1 << 15;

/// The steps or the matches are used up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spent;

/// What is left for the texts of one event.
pub(crate) struct Allowance {
    steps: u64,
    matches: u32,
    /// The pattern that it ended at, in the text that is looked at: that text goes whole.
    pub spent_by: Option<usize>,
    /// A stranger's pattern did not come to the end of the text that is looked at.
    pub stopped: bool,
}

impl Allowance {
    pub(crate) fn new() -> Self {
        Self { steps: STEPS, matches: MATCHES_MAX, spent_by: None, stopped: false }
    }

    /// Before patterns look at so many bytes.
    pub(crate) fn grant(&mut self, bytes: usize) {
        self.steps = self.steps.saturating_add(STEPS_PER_BYTE.saturating_mul(bytes as u64));
    }

    /// A share for the first of so many that are left.
    pub(crate) fn share(&mut self, of: usize) -> Self {
        let (steps, matches) = (self.steps / of.max(1) as u64, self.matches / of.max(1) as u32);
        self.steps -= steps;
        self.matches -= matches;
        Self { steps, matches, ..Self::new() }
    }

    /// Takes back what is left of a share.
    pub(crate) fn take_back(&mut self, share: &Self) {
        self.steps += share.steps;
        self.matches += share.matches;
    }

    pub(super) fn step(&mut self, count: usize) -> Result<(), Spent> {
        self.steps = self.steps.checked_sub(count as u64).ok_or(Spent)?;
        Ok(())
    }

    pub(crate) fn matched(&mut self) -> Result<(), Spent> {
        self.matches = self.matches.checked_sub(1).ok_or(Spent)?;
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn steps(&self) -> u64 {
        self.steps
    }
}
