//! A value of several lines, whatever ends them and stands before each: line numbers, the marks of a quotation or a
//! diff, an indentation.

use std::ops::Range;

use super::forms::in_json;
use crate::redact::disguise::line_begins;

/// Shorter first lines are nothing to begin a search with.
const FIRST_MIN: usize = 4;
/// What ends a line, as it is and in a JSON text.
const ENDS: [&[u8]; 4] = [b"\r\n", b"\n", b"\\r\\n", b"\\n"];

/// The lines of a value.
pub(super) struct Lines {
    /// As they are, and as they stand in a JSON text.
    written: Vec<Vec<Vec<u8>>>,
}

impl Lines {
    /// `None` where it is of one line, or begins with none to look for.
    pub fn of(value: &[u8]) -> Option<Self> {
        let mut lines: Vec<_> =
            value.split(|it| *it == b'\n').map(|it| it.strip_suffix(b"\r").unwrap_or(it)).collect();
        while lines.last().is_some_and(|it| it.is_empty()) {
            lines.pop();
        }
        if lines.len() < 2 || lines[0].len() < FIRST_MIN {
            return None;
        }
        let escaped = |line: &&[u8]| match std::str::from_utf8(line) {
            Ok(text) => in_json(text).into_bytes(),
            Err(_) => line.to_vec(),
        };
        let plain: Vec<_> = lines.iter().map(|it| it.to_vec()).collect();
        let escaped: Vec<_> = lines.iter().map(escaped).collect();
        let written = if escaped == plain { vec![plain] } else { vec![plain, escaped] };
        Some(Self { written })
    }

    /// Every place where all of them follow one another.
    pub fn find(&self, text: &[u8], mut seen: impl FnMut(Range<usize>)) {
        for lines in &self.written {
            let Some((first, rest)) = lines.split_first() else { continue };
            for start in memchr::memmem::find_iter(text, first) {
                if let Some(end) = followed(text, start + first.len(), rest) {
                    seen(start..end);
                }
            }
        }
    }
}

/// Where these lines end that follow at a place.
fn followed(text: &[u8], from: usize, lines: &[Vec<u8>]) -> Option<usize> {
    let mut at = from;
    for (number, line) in lines.iter().enumerate() {
        at += end_at(text, at)?;
        let is_last = number + 1 == lines.len();
        let is_it = |begin: &usize| {
            let line_at = at + begin;
            text[line_at..].starts_with(line)
                && (is_last || end_at(text, line_at + line.len()).is_some())
        };
        at += line_begins(&text[at..]).into_iter().find(is_it)? + line.len();
    }
    Some(at)
}

/// How long the end of a line is that stands at a place.
fn end_at(text: &[u8], at: usize) -> Option<usize> {
    ENDS.iter().find(|it| text[at..].starts_with(it)).map(|it| it.len())
}
