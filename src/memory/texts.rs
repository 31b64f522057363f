//! Cutting texts to characters and bytes, and into the pieces that records hold of one.

use super::limits::{RECORD_CHARS_MIN, ROW_BYTES_MAX};

/// The longest beginning of a text with at most so many characters and bytes.
pub(super) fn beginning(text: &str, chars_max: usize, bytes_max: usize) -> &str {
    let mut end = 0;
    for (at, c) in text.char_indices().take(chars_max) {
        if at + c.len_utf8() > bytes_max {
            break;
        }
        end = at + c.len_utf8();
    }
    &text[..end]
}

/// Whether a text has at most so many characters and bytes.
pub(super) fn fits(text: &str, chars_max: usize, bytes_max: usize) -> bool {
    // A character has at least one byte: most texts need not be counted.
    text.len() <= bytes_max && (text.len() <= chars_max || text.chars().nth(chars_max).is_none())
}

/// Characters of the longest note where all of a text is.
pub(super) const NOTE_CHARS_MAX: usize = "… (archived as )".len() + 20;

/// A text's beginning and where all of it is, both within so many characters; the note alone where
/// there is no room for more, and nothing where there is none for that.
pub(super) fn referring(text: &str, record: u64, chars_max: usize, bytes_max: usize) -> String {
    let note = format!("… (archived as {record})");
    let (note_chars, note_bytes) = (note.chars().count(), note.len());
    if note_chars > chars_max || note_bytes > bytes_max {
        return String::new();
    }
    let kept = beginning(text, chars_max - note_chars, bytes_max - note_bytes);
    format!("{kept}{note}")
}

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
