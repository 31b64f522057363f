//! What a hit says, as much as fits a line or two: where most of the words stand.

use serde::Serialize;

use super::documents::{Part, documents};
use super::question::{Asked, Shown};
use crate::event::{Content, Recorded, Sequence};
use crate::journal::{JournalError, JournalReader};
use crate::parse::words::{is_data, runs, split, stem, wholes, word};

/// Of a text, the bytes that are looked through for its best place.
const LOOKED_BYTES_MAX: usize = 256 << 10;

/// A piece of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Snippet {
    /// One line; `…` where something stands before or behind it.
    pub text: String,
    /// What was asked for in it, in order and apart: where each begins and ends, in bytes of `text` as UTF-8.
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
    let wanted = asked.shown();
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
        if content.lies_elsewhere()
            && let Ok(bytes) = journal.bytes(content)
        {
            *content = Content::Inline(bytes);
        }
    }
}

/// Words of a text, each with where it begins and ends.
type Placed = (usize, usize, String);

/// Where what is wanted stands in a text, in order and apart, and which of it.
fn hits(text: &str, wanted: &[Shown]) -> Vec<(usize, usize, usize)> {
    let (mut parts, mut others): (Vec<Placed>, Vec<Placed>) = (Vec::new(), Vec::new());
    let placed = |it: &str| {
        let at = it.as_ptr() as usize - text.as_ptr() as usize;
        (at, at + it.len(), stem(&word(it)))
    };
    for run in runs(text).filter(|it| !is_data(it)) {
        split(run, |part| parts.push(placed(part)));
        wholes(run, |whole| others.push(placed(whole)));
    }
    let mut found = Vec::new();
    for (which, shown) in wanted.iter().enumerate() {
        for (form, stems) in shown.forms.iter().enumerate() {
            let is_it = |(at, (_, _, found)): (usize, &Placed)| {
                let may_go_on = form < shown.beginnings && at + 1 == stems.len();
                *found == stems[at] || may_go_on && found.starts_with(&stems[at])
            };
            let windows = parts.windows(stems.len()).chain(others.windows(1));
            let met =
                windows.filter(|it| it.len() == stems.len() && it.iter().enumerate().all(is_it));
            found.extend(met.flatten().map(|it| (it.0, it.1, which)));
        }
    }
    found.sort_unstable();
    let mut apart: Vec<(usize, usize, usize)> = Vec::new();
    for hit in found {
        match apart.last_mut().filter(|last| hit.0 < last.1) {
            Some(last) => last.1 = last.1.max(hit.1),
            None => apart.push(hit),
        }
    }
    apart
}

/// The piece of a text with most of the words, and how many different ones those are.
fn piece(text: &str, wanted: &[Shown], chars: usize) -> (usize, Snippet) {
    let text = &text[..text.floor_char_boundary(LOOKED_BYTES_MAX)];
    let hits = hits(text, wanted);
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

#[cfg(test)]
mod tests {
    use super::{Asked, piece};

    #[test]
    fn what_was_found_stands_out_however_it_was_asked_for() {
        for (asked, text, marked) in [
            ("shadow branches", "a branch, a shadow", &["branch", "shadow"][..]),
            ("rep*", "say: reports, repeated; no prep", &["reports", "repeated"]),
            ("quix*", "Quixotic", &["Quixotic"]),
            ("src/sess*", "in src/session_state.rs, src", &["src", "session", "src"]),
            (
                "zebraxmlhttprequesthandler",
                "new ZebraXMLHttpRequestHandler()",
                &["ZebraXMLHttpRequestHandler"],
            ),
            ("zebraxml*", "new ZebraXMLHttpRequestHandler()", &["ZebraXMLHttpRequestHandler"]),
            ("0xdeadbeef", "at 0xDEADBEEF", &["0xDEADBEEF"]),
            ("default_agent", "defaultAgent, agent", &["defaultAgent", "agent"]),
            ("\"shadow branch\"", "branch; shadow branch; shadow", &["shadow", "branch"]),
            ("\"shadow\n branch\"", "the shadow\n\n  branch", &["shadow", "branch"]),
            ("branch -shadow", "shadow branch", &["branch"]),
            ("passgreen", "\u{1b}[1;32mpassgreen\u{1b}[0m", &["passgreen"]),
            ("massstab file", "Maßstab der ﬁles", &["Maßstab", "ﬁles"]),
            ("日本語", "これは日本語です", &["日本語"]),
            ("接", "連接する", &["接"]),
            ("nothing", "here", &[]),
        ] {
            let (_, snippet) = piece(text, &Asked::of(asked).shown(), 200);
            let found: Vec<&str> =
                snippet.marks.iter().map(|it| &snippet.text[it.0..it.1]).collect();
            assert_eq!(found, marked, "{asked}: {snippet:?}");
        }
        let far = format!("{}gamma rays", "x ".repeat(400));
        let (_, snippet) = piece(&far, &Asked::of("gam*").shown(), 100);
        assert!(snippet.text.contains("gamma"), "{snippet:?}");
    }
}
