//! What is wrong with a document.

/// Of one text, characters that are told.
const CHARS_MAX: usize = 200;

/// What is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaFault {
    /// A JSON pointer; empty: the document itself.
    pub at: String,
    /// It does not tell the value, which may be anything, and of any size.
    pub why: String,
}

/// At most so many characters of it.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
