//! A change of a text: some bytes of it replaced, all others kept.

/// Bytes `start..end` of a text become `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Edit {
    pub fn insert(at: usize, text: String) -> Self {
        Self { start: at, end: at, text }
    }

    pub fn cut(start: usize, end: usize) -> Self {
        Self { start, end, text: String::new() }
    }
}

/// The text with all edits made; they do not overlap. One that lies outside is left out.
pub fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.start);
    let (mut out, mut at) = (String::with_capacity(text.len() + 2048), 0);
    for edit in edits {
        let Some(before) = text.get(at..edit.start) else { continue };
        out.push_str(before);
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
