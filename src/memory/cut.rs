//! Cutting texts to characters and bytes.

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
