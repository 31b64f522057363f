//! The beginnings of texts.

use super::limits::ERROR_BYTES_MAX;

/// What a person reads first of a text: its beginning, cut between two characters.
pub fn head_of(text: &str) -> &str {
    &text[..text.floor_char_boundary(ERROR_BYTES_MAX)]
}
