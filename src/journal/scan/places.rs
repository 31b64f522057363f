//! Lines and columns of a stream's bytes, counted as it goes by.

/// Counts lines up to a place that only moves forward.
#[derive(Debug)]
pub struct Places {
    /// Counted up to here, in bytes of the stream.
    at: u64,
    line: u64,
    /// The first byte of that line.
    begins: u64,
}

impl Default for Places {
    fn default() -> Self {
        Self { at: 0, line: 1, begins: 0 }
    }
}

impl Places {
    /// Line and column of byte `at` of the stream, from 1. `window` is what the stream has from
    /// byte `base` on; both must hold what lies between the last place and this one.
    pub fn of(&mut self, at: u64, window: &[u8], base: u64) -> (u64, u64) {
        let index = |at: u64| usize::try_from(at.saturating_sub(base)).unwrap_or(window.len());
        let between = window.get(index(self.at)..index(at)).unwrap_or_default();
        for (place, byte) in (self.at..).zip(between) {
            if *byte == b'\n' {
                self.line += 1;
                self.begins = place + 1;
            }
        }
        self.at = self.at.max(at);
        (self.line, at.saturating_sub(self.begins) + 1)
    }
}
