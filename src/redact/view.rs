//! A text as it reads once something was decoded, that still knows where each byte came from.

use std::ops::Range;

/// A text made from another, that knows where each of its bytes came from.
#[derive(Default)]
pub(super) struct View {
    pub text: Vec<u8>,
    /// Where a stretch begins here and in the source, in order. Inside one both go on byte by byte,
    /// but for the last byte before the next, which may stand for several.
    starts: Vec<(usize, usize)>,
}

impl View {
    /// Adds bytes as they stand at `at` of the source.
    pub(super) fn copy(&mut self, bytes: &[u8], at: usize) {
        if bytes.is_empty() {
            return;
        }
        let goes_on = self.starts.last().is_some_and(|&(here, there)| {
            self.text.len().checked_sub(here).and_then(|length| there.checked_add(length))
                == Some(at)
        });
        if !goes_on {
            self.starts.push((self.text.len(), at));
        }
        self.text.extend_from_slice(bytes);
    }

    /// Adds what the source says in other bytes, from `at` on.
    pub(super) fn decoded(&mut self, bytes: &[u8], at: usize) {
        for byte in bytes {
            self.starts.push((self.text.len(), at));
            self.text.push(*byte);
        }
    }

    /// Ends the view: the source goes on at `at`.
    pub(super) fn end(&mut self, at: usize) {
        self.starts.push((self.text.len(), at));
    }

    /// Where a range of this text stands in the source.
    pub(super) fn in_source(&self, range: &Range<usize>) -> Range<usize> {
        self.place(range.start)..self.place(range.end)
    }

    fn place(&self, at: usize) -> usize {
        let next = self.starts.partition_point(|&(here, _)| here <= at);
        match next.checked_sub(1).and_then(|last| self.starts.get(last)) {
            Some(&(here, there)) => there + (at - here),
            None => at,
        }
    }
}
