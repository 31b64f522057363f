//! The first diagnostic of an execution, in one line.

use crate::event::target::CallDigest;
use crate::parse::diagnostics::Diagnostic;

/// Bytes of the line that the index keeps.
const LINE_BYTES_MAX: usize = 400;

/// `error[E0425] src/lib.rs:3: cannot find value`: of the first error, else of the first.
pub(crate) fn first(found: &[Diagnostic]) -> Option<String> {
    let first = found.iter().find(|one| one.level == "error").or(found.first())?;
    Some(cut(&first.line(), LINE_BYTES_MAX).to_owned())
}

/// What two failures say that say the same: the text without the lines and columns in it, which move
/// with every edit. Not the message's own numbers.
pub(crate) fn said(text: Option<&str>) -> CallDigest {
    let text = text.unwrap_or_default();
    let mut hash = blake3::Hasher::new();
    let mut pieces = text.split(':');
    hash.update(pieces.next().unwrap_or_default().as_bytes());
    for piece in pieces {
        let behind = piece.trim_start_matches(|c: char| c.is_ascii_digit());
        hash.update(b":").update(behind.as_bytes());
    }
    let mut short = [0; 16];
    short.copy_from_slice(&hash.finalize().as_bytes()[..16]);
    CallDigest(short)
}

/// The beginning of a text, whole characters only.
pub(crate) fn cut(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}
