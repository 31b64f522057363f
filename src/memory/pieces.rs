//! A text as the pieces that records hold of it: together they are the text.

use super::cut::{beginning, fits};
use super::limits::{RECORD_CHARS_MIN, ROW_BYTES_MAX};

/// What records of at most so many characters hold of a text, in its order. Words stay whole where
/// that costs no more than half a record.
pub(super) fn pieces(text: &str, chars_max: u64) -> Vec<&str> {
    let chars_max = usize::try_from(chars_max).unwrap_or(usize::MAX).max(RECORD_CHARS_MIN);
    let mut pieces = Vec::new();
    let mut rest = text;
    while !fits(rest, chars_max, ROW_BYTES_MAX) {
        let piece = beginning(rest, chars_max, ROW_BYTES_MAX);
        let end = piece.rfind(char::is_whitespace).and_then(|at| {
            let space = piece[at..].chars().next()?;
            Some(at + space.len_utf8()).filter(|end| *end > piece.len() / 2)
        });
        let (piece, after) = rest.split_at(end.unwrap_or(piece.len()));
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// The tag of a record that holds one of several pieces, counted from 1.
pub(super) fn part_tag(number: usize, count: usize) -> String {
    format!("{PART}{number}/{count}")
}

/// Tags without what they say of pieces.
pub(super) fn without_part(tags: &[String]) -> Vec<String> {
    tags.iter().filter(|tag| !tag.starts_with(PART)).cloned().collect()
}

const PART: &str = "part:";
