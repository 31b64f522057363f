//! What is wrong with a document.

use jsonschema::ValidationError;

/// Of one text, characters that are told.
const CHARS_MAX: usize = 200;

/// What is wrong with a document, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaFault {
    /// A JSON pointer; empty: the document itself.
    pub at: String,
    pub why: String,
}

impl SchemaFault {
    /// The value is not told: it may be anything, and of any size.
    pub(super) fn of(error: &ValidationError<'_>) -> Self {
        let at = shortened(error.instance_path().as_str());
        Self { at, why: shortened(&error.masked_with("it").to_string()) }
    }
}

/// At most so many characters of it.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
