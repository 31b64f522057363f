//! Splits a line that is not one record: glued records, torn ones, NUL-filled ones.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::Flaw;
use super::limits::{PIECES_MAX, RESTARTS_MAX};

/// A part of a line, in the order of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A whole JSON object.
    Record(Range<usize>),
    /// Bytes that are no record.
    Lost(Range<usize>, Flaw),
}

/// How an agent writes its records, as far as it is needed to find one inside a damaged line.
#[derive(Debug)]
pub struct Grammar {
    /// The keys with which a record begins.
    pub beginnings: &'static [&'static str],
    /// Whether a whole record begins here, and not a part of one.
    pub is_record: fn(&[u8]) -> bool,
}

/// The pieces of a line. One whole record is one piece; blank lines have none.
pub fn pieces(line: &[u8], grammar: &Grammar) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut at, mut restarts) = (0, 0);
    loop {
        let blank = blank_len(&line[at..]);
        let nul = line[at..at + blank].iter().filter(|&&byte| byte == 0).count();
        if nul > 0 {
            push_lost(&mut found, at..at + blank, Flaw::NulFilled { bytes: nul as u64 });
        }
        at += blank;
        if at == line.len() {
            return found;
        }
        if found.len() >= PIECES_MAX {
            found.push(Piece::Lost(at..line.len(), Flaw::TooManyPieces));
            return found;
        }
        match object_len(&line[at..]) {
            Ok(len) => {
                found.push(Piece::Record(at..at + len));
                at += len;
            }
            Err(flaw) => {
                let end = restart(line, at + 1, grammar, &mut restarts).unwrap_or(line.len());
                push_lost(&mut found, at..end, flaw_of(&line[at..end], flaw, at));
                at = end;
            }
        }
    }
}

/// NULs before a torn part and the part itself are one loss.
fn push_lost(found: &mut Vec<Piece>, range: Range<usize>, flaw: Flaw) {
    if let Some(Piece::Lost(before, Flaw::NulFilled { .. })) = found.last_mut()
        && before.end == range.start
    {
        before.end = range.end;
        return;
    }
    found.push(Piece::Lost(range, flaw));
}

fn blank_len(bytes: &[u8]) -> usize {
    const BOM: &[u8] = b"\xEF\xBB\xBF";
    let skipped = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let blank = |byte: &u8| matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n');
    skipped + bytes[skipped..].iter().take_while(|byte| blank(byte)).count()
}

/// How long the JSON object is that begins here.
fn object_len(bytes: &[u8]) -> Result<usize, Flaw> {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) if bytes.first() == Some(&b'{') => Ok(values.byte_offset()),
        Some(Ok(_)) => Err(Flaw::NotARecord),
        Some(Err(error)) if error.is_eof() => Err(Flaw::Torn),
        Some(Err(error)) => Err(Flaw::NotJson { at: error.column() as u64 }),
        None => Err(Flaw::Torn),
    }
}

/// The flaw of a lost part: NULs say more than the place where JSON stopped to parse.
fn flaw_of(lost: &[u8], flaw: Flaw, begins: usize) -> Flaw {
    let nul = lost.iter().filter(|&&byte| byte == 0).count() as u64;
    match flaw {
        _ if nul > 0 => Flaw::NulFilled { bytes: nul },
        Flaw::NotJson { at } => Flaw::NotJson { at: at + begins as u64 },
        other => other,
    }
}

/// Where the next whole record begins inside a damaged line. `tries` bounds the work of a line
/// made of nothing but beginnings.
fn restart(line: &[u8], from: usize, grammar: &Grammar, tries: &mut usize) -> Option<usize> {
    let mut at = from;
    while *tries < RESTARTS_MAX {
        at += line.get(at..)?.windows(2).position(|pair| pair == b"{\"")?;
        if grammar.beginnings.iter().any(|key| line[at..].starts_with(key.as_bytes())) {
            *tries += 1;
            if (grammar.is_record)(&line[at..]) {
                return Some(at);
            }
        }
        at += 1;
    }
    None
}
