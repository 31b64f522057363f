//! Lines of a file, one at a time, in one buffer; a line above the limit is skipped unheld.

use std::io::{self, BufRead, Read};

use super::limits::LINE_BYTES_MAX;

/// Reads lines and numbers them from 1.
pub struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    number: u64,
    offset: u64,
}

/// One line, without its newline.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// From 1.
    pub number: u64,
    /// Where it begins in the file, in bytes.
    pub offset: u64,
    /// `None` where it was longer than [`LINE_BYTES_MAX`].
    pub bytes: Option<&'a [u8]>,
    /// Its length without the newline.
    pub len: u64,
    /// Whether a newline ends it; the last line of a torn file has none.
    pub ended: bool,
}

impl<R> Lines<R> {
    pub fn new(reader: R) -> Self {
        Self { reader, buffer: Vec::new(), number: 0, offset: 0 }
    }

    /// What is read from.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Lines read so far.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Bytes taken from the reader so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }
}

impl<R: BufRead> Lines<R> {
    /// The next line; `None` at the end.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.buffer.clear();
        let offset = self.offset;
        let mut bounded = self.reader.by_ref().take(LINE_BYTES_MAX as u64 + 1);
        let mut taken = bounded.read_until(b'\n', &mut self.buffer)? as u64;
        if taken == 0 {
            return Ok(None);
        }
        let mut ended = self.buffer.last() == Some(&b'\n');
        let held = ended || taken <= LINE_BYTES_MAX as u64;
        if !held {
            self.buffer = Vec::new();
            let (rest, newline) = skip_line(&mut self.reader)?;
            taken += rest;
            ended = newline;
        }
        self.offset += taken;
        self.number += 1;
        let len = taken - u64::from(ended);
        let bytes = if held { self.buffer.get(..len as usize) } else { None };
        Ok(Some(Line { number: self.number, offset, bytes, len, ended }))
    }
}

/// Bytes up to and with the next newline, and whether there was one. `skip_until` tells only the
/// number, which at the end of the file is not enough.
fn skip_line(reader: &mut impl BufRead) -> io::Result<(u64, bool)> {
    const STEP_BYTES: u64 = 64 << 10;
    let (mut skipped, mut step) = (0, Vec::new());
    loop {
        step.clear();
        let taken = reader.by_ref().take(STEP_BYTES).read_until(b'\n', &mut step)? as u64;
        skipped += taken;
        if taken == 0 || step.last() == Some(&b'\n') {
            return Ok((skipped, taken != 0));
        }
    }
}
