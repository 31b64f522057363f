//! What a hit says, as much as fits a line or two: where most of the words stand.

use serde::Serialize;

use super::asked::Asked;
use super::documents::{Part, documents};
use crate::event::{Content, Recorded, Sequence};
use crate::journal::{JournalError, JournalReader};
use crate::parse::words::{runs, split, stem};

/// Of a text, the bytes that are looked through for its best place.
const LOOKED_BYTES_MAX: usize = 256 << 10;

/// A piece of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// One line; `…` where something stands before or behind it.
    pub text: String,
    /// What was asked for in it: the bytes where each begins and ends.
    pub marks: Vec<(usize, usize)>,
}

/// The snippet of a hit; empty where the journal does not have the text any more.
pub fn snippet(
    journal: &JournalReader,
    at: Sequence,
    part: Part,
    asked: &Asked,
    chars: usize,
) -> Result<Snippet, JournalError> {
    let Some(mut recorded) = journal.get(at)? else { return Ok(Snippet::default()) };
    bring(journal, &mut recorded);
    let found = documents(&recorded, None).into_iter().find(|it| it.part == part);
    let texts = found.map(|it| it.texts).unwrap_or_default();
    let wanted: Vec<String> = asked.shown().into_iter().map(stem).collect();
    let all = texts.iter().map(|it| piece(it, &wanted, chars));
    let best = all.max_by_key(|(count, it)| (*count, it.marks.len()));
    Ok(best.map(|it| it.1).unwrap_or_default())
}

/// All that was found by of an event's part; empty where the journal does not have it any more.
pub fn whole(journal: &JournalReader, at: Sequence, part: Part) -> Result<String, JournalError> {
    let Some(mut recorded) = journal.get(at)? else { return Ok(String::new()) };
    bring(journal, &mut recorded);
    let found = documents(&recorded, None).into_iter().find(|it| it.part == part);
    Ok(found.map(|it| it.texts.join("\n")).unwrap_or_default())
}

/// Puts in what lies elsewhere; what is lost stays as it is.
fn bring(journal: &JournalReader, recorded: &mut Recorded) {
    for content in recorded.event.body.contents_mut() {
        if matches!(content, Content::Blob { .. } | Content::Repeated { .. })
            && let Ok(bytes) = journal.bytes(content)
        {
            *content = Content::Inline(bytes);
        }
    }
}

/// The piece of a text with most of the words, and how many different ones those are.
fn piece(text: &str, wanted: &[String], chars: usize) -> (usize, Snippet) {
    let text = &text[..text.floor_char_boundary(LOOKED_BYTES_MAX)];
    let mut hits: Vec<(usize, usize, usize)> = Vec::new();
    let place = |it: &str| it.as_ptr() as usize - text.as_ptr() as usize;
    for run in runs(text) {
        split(run, |part| {
            let stem = stem(part);
            if let Some(which) = wanted.iter().position(|it| *it == stem) {
                hits.push((place(part), place(part) + part.len(), which));
            }
        });
    }
    let bytes = chars;
    let different = |first: usize| {
        let mut seen = vec![false; wanted.len()];
        let near = hits[first..].iter().take_while(|it| it.1 <= hits[first].0 + bytes * 3 / 4);
        near.for_each(|it| seen[it.2] = true);
        seen.into_iter().filter(|it| *it).count()
    };
    let best =
        (0..hits.len()).map(|it| (different(it), it)).max_by_key(|it| (it.0, usize::MAX - it.1));
    let (count, at) = best.map_or((0, 0), |(count, first)| (count, hits[first].0));
    let start = if at <= bytes / 4 { 0 } else { text.floor_char_boundary(at - bytes / 4) };
    let end = text.ceil_char_boundary((start + bytes).min(text.len()));
    let mut shown = Snippet::default();
    if start > 0 {
        shown.text.push('…');
    }
    let mut marks = hits.iter().filter(|it| it.0 >= start && it.1 <= end).peekable();
    for (offset, c) in text[start..end].char_indices() {
        let at = start + offset;
        while let Some(mark) = marks.next_if(|it| it.0 <= at) {
            let begins = shown.text.len();
            shown.marks.push((begins, begins + (mark.1 - mark.0)));
        }
        match c {
            // A line, whatever it was.
            _ if c.is_whitespace() => {
                if !shown.text.ends_with(' ') {
                    shown.text.push(' ');
                }
            }
            _ => shown.text.push(c),
        }
    }
    if end < text.len() {
        shown.text.push('…');
    }
    (count, shown)
}
