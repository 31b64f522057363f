//! The first diagnostic of an execution, in one line.

use super::diagnostics::Diagnostic;

/// Bytes of the line that the index keeps.
const LINE_BYTES_MAX: usize = 400;

/// `error[E0425] src/lib.rs:3: cannot find value`: of the first error, else of the first.
pub(super) fn first(found: &[Diagnostic]) -> Option<String> {
    let first = found.iter().find(|one| one.level == "error").or(found.first())?;
    Some(cut(&first.line(), LINE_BYTES_MAX).to_owned())
}

/// The beginning of a text, whole characters only.
pub(super) fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
