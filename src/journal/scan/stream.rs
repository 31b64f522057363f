//! A stream of any length, looked over with a window that never grows.

use std::io::{self, ErrorKind, Read};

use super::{AHEAD_BYTES, BEHIND_BYTES, BLOCK_BYTES, Hit};
use crate::redact::Redactor;

/// Looks over everything that `input` gives and hands each secret to `take`, in order. How many
/// bytes there were. Memory does not grow with the stream.
pub fn scan_stream(
    redactor: &Redactor,
    input: &mut dyn Read,
    take: &mut dyn FnMut(Hit),
) -> io::Result<u64> {
    let mut window = Window::default();
    loop {
        let more = window.fill(input);
        // What came before a failure is looked at all the same.
        let settled = match more {
            Ok(true) => window.settled(),
            Ok(false) | Err(_) => window.bytes.len(),
        };
        window.look(redactor, settled, take);
        match more {
            Ok(true) => window.slide(settled),
            Ok(false) => return Ok(window.base + window.bytes.len() as u64),
            Err(error) => return Err(error),
        }
    }
}

#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    base: u64,
    /// Those before this one were judged by the look before.
    fresh: usize,
    /// What was handed over ends here, in the stream.
    taken: u64,
    places: Places,
    /// The stream is JSON, as its first byte says.
    json: Option<bool>,
}

impl Window {
    /// Reads on to a full window; whether there may be more.
    fn fill(&mut self, input: &mut dyn Read) -> io::Result<bool> {
        let wanted = self.fresh + BLOCK_BYTES + AHEAD_BYTES;
        while self.bytes.len() < wanted {
            let had = self.bytes.len();
            self.bytes.resize(wanted, 0);
            let read = loop {
                match input.read(&mut self.bytes[had..]) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    read => break read,
                }
            };
            self.bytes.truncate(had + read.as_ref().map_or(0, |read| *read));
            if read? == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Up to where this look judges: whole lines, where there are any.
    fn settled(&self) -> usize {
        let end = self.bytes.len() - AHEAD_BYTES;
        line_end(&self.bytes[self.fresh..end]).map_or(end, |at| self.fresh + at)
    }

    fn look(&mut self, redactor: &Redactor, settled: usize, take: &mut dyn FnMut(Hit)) {
        let first = self.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        let json = *self.json.get_or_insert(first == Some(&b'{'));
        let found = match json {
            true => redactor.find_json(&self.bytes),
            false => redactor.find(&self.bytes),
        };
        for one in found {
            // The last of a stream may end it; elsewhere the next look sees more of it.
            if one.range.start >= settled || one.range.end <= self.fresh {
                continue;
            }
            let start = (self.base + one.range.start as u64).max(self.taken);
            let end = self.base + one.range.end as u64;
            if start >= end {
                continue;
            }
            let (line, column) = self.places.of(start, &self.bytes, self.base);
            let bytes = end - start;
            take(Hit { rule: one.rule.to_owned(), offset: start, bytes, line, column });
            self.taken = end;
        }
    }

    /// Forgets what was judged, but for what tells the next of it.
    fn slide(&mut self, settled: usize) {
        let from = settled.saturating_sub(BEHIND_BYTES);
        let line = self.bytes[from..settled].iter().position(|byte| *byte == b'\n');
        let line = line.map(|at| from + at + 1).filter(|at| *at < settled);
        let from = line.unwrap_or(from);
        self.places.of(self.base + from as u64, &self.bytes, self.base);
        self.bytes.drain(..from);
        self.base += from as u64;
        self.fresh = settled - from;
    }
}

fn line_end(bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| *byte == b'\n').map(|at| at + 1)
}

/// Counts lines up to a place that only moves forward.
#[derive(Debug)]
pub struct Places {
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
