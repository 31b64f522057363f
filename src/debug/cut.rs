//! Texts cut to what is kept of them; how much is left out stands at their end.

use crate::redact::{Redactor, end_of_head};

/// At most so many bytes of a text. Its secrets are taken out first: one that is cut in two would not be
/// known as one any more.
pub(super) fn cut(redactor: &Redactor, text: &mut String, bytes_max: usize) {
    if text.len() <= bytes_max {
        return;
    }
    let whole = redactor.redact_text(text);
    *text = shortened(&whole, bytes_max);
}

/// The same of one that may be there.
pub(super) fn cut_any(redactor: &Redactor, text: &mut Option<String>, bytes_max: usize) {
    if let Some(text) = text {
        cut(redactor, text, bytes_max);
    }
}

fn shortened(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    // The longest that the note can be is taken off first: then it fits whatever it counts.
    let note = |left: usize| format!("… {left} bytes more");
    let kept = bytes_max.saturating_sub(note(text.len()).len());
    let kept = text.floor_char_boundary(kept);
    let begin = &text[..text.floor_char_boundary(end_of_head(text.as_bytes(), kept))];
    format!("{begin}{}", note(text.len() - begin.len()))
}
