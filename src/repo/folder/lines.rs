//! `summaries.jsonl` against the lines that it is to hold.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::sidecar::Lines;
use super::{FILE_BYTES_MAX, SummaryLines};

/// Bytes of an end that are digested.
const TAIL_BYTES: u64 = 4 << 10;
/// Lines that are held against each other at once.
pub(super) const LINES_MAX: usize = 256;
/// A piece without an end of line above this is no line of ours that was cut short.
const PIECE_BYTES_MAX: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reached {
    pub bytes: u64,
    pub lines: u64,
    /// The event of the last line.
    pub last: u64,
    /// blake3 of its last 4 KiB, hexadecimal.
    pub tail: String,
}

impl Reached {
    pub fn nothing() -> Self {
        Self { bytes: 0, lines: 0, last: 0, tail: tail_of(&[]) }
    }

    /// Whether a file of this length goes as far, and ended so there.
    fn is_in(&self, file: &File, length: u64) -> io::Result<bool> {
        Ok(self.bytes <= length && tail_of(&end(file, self.bytes)?) == self.tail)
    }

    /// How far the file goes with more lines behind it.
    pub fn with(
        &self,
        file: Option<&File>,
        more: &[u8],
        lines: u64,
        last: u64,
    ) -> io::Result<Self> {
        let mut ends = match file {
            Some(file) => end(file, self.bytes)?,
            None => Vec::new(),
        };
        ends.extend(more);
        let from = ends.len().saturating_sub(usize::try_from(TAIL_BYTES).unwrap_or(usize::MAX));
        Ok(Self {
            bytes: self.bytes + more.len() as u64,
            lines: self.lines + lines,
            last,
            tail: tail_of(&ends[from..]),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Ours, this far; what is behind it is a line that was cut short.
    Ours {
        reached: Reached,
        is_torn: bool,
    },
    /// Ours as far as this, but lines belong in between.
    Between {
        reached: Reached,
    },
    Edited,
}

/// Says what a file is; `known` is what its sidecar says.
pub(super) fn found(
    file: &File,
    known: Option<&Lines>,
    lines: &dyn SummaryLines,
) -> io::Result<Found> {
    let found = looked(file, known, lines)?;
    let last = known.map_or(0, |known| known.now.last);
    if found == Found::Edited && says_the_same(file, last, lines)? {
        return Ok(Found::Between { reached: Reached::nothing() });
    }
    Ok(found)
}

/// Whether each line says, in whatever form and order, what one is to say, and none up to this event is
/// lacking.
pub(super) fn says_the_same(file: &File, last: u64, lines: &dyn SummaryLines) -> io::Result<bool> {
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    reader.take(FILE_BYTES_MAX).read_to_end(&mut bytes)?;
    let mut there: BTreeMap<String, usize> = BTreeMap::new();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let Some(line) = lines.as_ours(line) else { return Ok(false) };
        *there.entry(line).or_default() += 1;
    }
    let mut after = 0;
    loop {
        let page = lines.after(after, LINES_MAX)?;
        let Some((end, _)) = page.last() else { break };
        after = *end;
        for (sequence, line) in page {
            match there.get_mut(&line).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None if sequence <= last => return Ok(false),
                None => {}
            }
        }
    }
    Ok(there.values().all(|count| *count == 0))
}

fn looked(file: &File, known: Option<&Lines>, lines: &dyn SummaryLines) -> io::Result<Found> {
    let length = file.metadata()?.len();
    if length == 0 {
        return Ok(Found::Ours { reached: Reached::nothing(), is_torn: false });
    }
    let ends = known.map(|known| [Some(&known.now), known.before.as_ref()]);
    for reached in ends.into_iter().flatten().flatten() {
        if reached.bytes == 0 || !reached.is_in(file, length)? {
            continue;
        }
        if lines.count(reached.last)? == reached.lines {
            return judged(file, reached.clone(), length, lines);
        }
        let is_whole = length == reached.bytes || is_torn_at(file, reached.bytes, length)?;
        let reached = reached.clone();
        return Ok(if is_whole { Found::Between { reached } } else { Found::Edited });
    }
    // Nothing of it is known but by what it says. Lines that somebody took away are an edit, those that
    // a first writer did not come to are none.
    let is_first = |known: &Lines| known.before.as_ref().is_some_and(|before| before.bytes == 0);
    let had = known.filter(|known| !is_first(known)).map_or(0, |known| known.now.bytes);
    let ends_whole = file_byte(file, length - 1)? == b'\n';
    match judged(file, Reached::nothing(), length, lines)? {
        Found::Ours { reached, .. } if ends_whole && reached.bytes < had => Ok(Found::Edited),
        found => Ok(found),
    }
}

/// Follows a file from where it is ours on.
fn judged(file: &File, from: Reached, length: u64, lines: &dyn SummaryLines) -> io::Result<Found> {
    let (reached, is_prefix) = follow(file, from, length, lines)?;
    if reached.bytes == length {
        return Ok(Found::Ours { reached, is_torn: false });
    }
    Ok(match is_prefix || is_torn_at(file, reached.bytes, length)? {
        true => Found::Ours { reached, is_torn: true },
        false => Found::Edited,
    })
}

/// As far as whole lines are what they are to be, and whether what is behind them begins the next one.
fn follow(
    file: &File,
    mut reached: Reached,
    length: u64,
    lines: &dyn SummaryLines,
) -> io::Result<(Reached, bool)> {
    let mut reader = BufReader::new(file);
    reader.seek(SeekFrom::Start(reached.bytes))?;
    while reached.bytes < length {
        let page = lines.after(reached.last, LINES_MAX)?;
        if page.is_empty() {
            break;
        }
        for (sequence, line) in page {
            match next(&mut reader, line.as_bytes())? {
                Next::Is => {}
                begun => return Ok((ended(file, reached)?, begun == Next::Begins)),
            }
            reached.bytes += line.len() as u64;
            (reached.lines, reached.last) = (reached.lines + 1, sequence);
        }
    }
    Ok((ended(file, reached)?, false))
}

fn ended(file: &File, reached: Reached) -> io::Result<Reached> {
    Ok(Reached { tail: tail_of(&end(file, reached.bytes)?), ..reached })
}

/// What comes next, against what is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Is,
    /// The file ends within it.
    Begins,
    Differs,
}

/// Takes these bytes as far as they come next.
fn next(reader: &mut impl BufRead, mut bytes: &[u8]) -> io::Result<Next> {
    while !bytes.is_empty() {
        let there = reader.fill_buf()?;
        let count = there.len().min(bytes.len());
        if there[..count] != bytes[..count] {
            return Ok(Next::Differs);
        }
        if count == 0 {
            return Ok(Next::Begins);
        }
        reader.consume(count);
        bytes = &bytes[count..];
    }
    Ok(Next::Is)
}

/// Whether what a file has from there on is one line that was cut short, or nothing but the zeros of a
/// machine that lost power: no line that says something.
fn is_torn_at(file: &File, from: u64, length: u64) -> io::Result<bool> {
    if length - from > PIECE_BYTES_MAX {
        return Ok(false);
    }
    let mut piece = vec![0; usize::try_from(length - from).unwrap_or_default()];
    file.read_exact_at(&mut piece, from)?;
    let says = || serde_json::from_slice::<IgnoredAny>(&piece).is_ok();
    Ok(!piece.contains(&b'\n') && !says())
}

fn file_byte(file: &File, at: u64) -> io::Result<u8> {
    let mut byte = [0];
    file.read_exact_at(&mut byte, at)?;
    Ok(byte[0])
}

fn end(file: &File, at: u64) -> io::Result<Vec<u8>> {
    let from = at.saturating_sub(TAIL_BYTES);
    let mut end = vec![0; usize::try_from(at - from).unwrap_or_default()];
    file.read_exact_at(&mut end, from)?;
    Ok(end)
}

fn tail_of(end: &[u8]) -> String {
    blake3::hash(end).to_hex().to_string()
}

/// Whether a file holds all lines and nothing else, looked at from its beginning.
pub(super) fn holds_all(file: &File, lines: &dyn SummaryLines) -> io::Result<bool> {
    let length = file.metadata()?.len();
    Ok(follow(file, Reached::nothing(), length, lines)?.0.bytes == length)
}
