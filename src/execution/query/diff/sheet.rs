//! What is known of a file's lines: as they were before the edits that are asked about, and as those left
//! them.
//!
//! Lines are what stands between newlines: a text that ends with one has an empty last line.

use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::line_ends::{self, LineEnds};
use super::observed::Replacement;
use crate::event::Ordered;

/// A line as it is now, and the call that wrote it last, by its place in the list of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub by: Option<usize>,
}

/// Lines that stand one below the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Lines above it as they are now.
    pub at: usize,
    pub base: Vec<String>,
    pub now: Vec<Line>,
}

/// What the file was before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// What the spans know of it.
    #[default]
    Known,
    /// There was no file.
    Absent,
    /// There was one that nobody recorded, and it was written over.
    Unknown,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    pub base: Base,
    /// In order; between two of them are lines that nobody recorded.
    pub spans: Vec<Span>,
    /// One span is all of the file.
    pub is_whole: bool,
    /// How lines ended before the edits, and how they end now, where anybody told: none of them holds a carriage
    /// return where all do.
    pub was: Option<LineEnds>,
    pub is: Option<LineEnds>,
}

/// The file holds other lines than the recorded edits left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Differs;

/// What became of a replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    Done,
    /// Not among the lines that are known.
    Elsewhere,
    /// Nowhere, though all lines are known.
    Differs,
}

impl Span {
    fn end(&self) -> usize {
        self.at + self.now.len()
    }

    fn text(&self) -> String {
        let lines: Vec<&str> = self.now.iter().map(|line| line.text.as_str()).collect();
        lines.join("\n")
    }

    pub fn is_changed(&self) -> bool {
        self.base.len() != self.now.len()
            || self.base.iter().zip(&self.now).any(|(base, now)| *base != now.text)
    }
}

impl Sheet {
    pub fn is_changed(&self) -> bool {
        self.base != Base::Known || self.spans.iter().any(Span::is_changed)
    }

    /// What it is now is what it was before, from here on.
    pub fn settle(&mut self) {
        self.base = Base::Known;
        self.was = self.is;
        for span in &mut self.spans {
            span.base = span.now.iter().map(|line| line.text.clone()).collect();
        }
    }

    /// Lines end so, in a file that nobody wrote since.
    pub fn ends_are(&mut self, ends: Option<LineEnds>) {
        if self.is.is_none() && ends.is_some() {
            (self.was, self.is) = (ends, ends);
        }
    }

    /// An edit as its lines are kept: one that names the ends of a file's lines tells them.
    pub fn without_returns(&mut self, edit: &Replacement) -> Replacement {
        let (old, ends) = line_ends::without_returns(&edit.old);
        self.ends_are(ends.filter(|it| *it == LineEnds::Crlf));
        let new = match self.is {
            Some(LineEnds::Crlf) => edit.new.replace("\r\n", "\n"),
            _ => edit.new.clone(),
        };
        let old = if self.is == Some(LineEnds::Crlf) { old.into_owned() } else { edit.old.clone() };
        Replacement { old, new, all: edit.all }
    }

    /// Whether it has so many lines from the one on that has so many above it.
    pub fn knows(&self, at: usize, count: usize) -> bool {
        self.is_whole || self.spans.iter().any(|it| it.at <= at && at + count <= it.end())
    }

    /// Lines that were seen in the file, from the one on that has so many above it.
    pub fn see(&mut self, at: usize, lines: &[&str], is_whole: bool) -> Result<(), Differs> {
        let end = at + lines.len();
        let known_end = self.spans.last().map_or(0, Span::end);
        if (is_whole && known_end > end)
            || (self.is_whole && (end > known_end || is_whole && end != known_end))
        {
            return Err(Differs);
        }
        for span in &self.spans {
            for (no, known) in (span.at..).zip(&span.now) {
                let seen = no.checked_sub(at).and_then(|no| lines.get(no));
                if seen.is_some_and(|seen| !is_same(seen, &known.text)) {
                    return Err(Differs);
                }
            }
        }
        let (mut kept, mut met): (Vec<Span>, Vec<Span>) = (Vec::new(), Vec::new());
        for span in self.spans.drain(..) {
            let is_met = span.at <= end && at <= span.end();
            if is_met { met.push(span) } else { kept.push(span) }
        }
        let from = met.first().map_or(at, |span| span.at.min(at));
        let mut all = Span { at: from, ..Span::default() };
        let mut next = from;
        let fill = |all: &mut Span, from: usize, to: usize| {
            for line in lines.iter().take(to.saturating_sub(at)).skip(from.saturating_sub(at)) {
                all.base.push((*line).to_owned());
                all.now.push(Line { text: (*line).to_owned(), by: None });
            }
        };
        for span in met {
            fill(&mut all, next, span.at);
            next = span.end();
            all.base.extend(span.base);
            all.now.extend(span.now);
        }
        fill(&mut all, next.max(at), end);
        kept.push(all);
        kept.order_by_key(|span| span.at);
        self.spans = kept;
        self.is_whole |= is_whole;
        Ok(())
    }

    /// Puts a text in another's place, the first time that it stands there, or each time.
    pub fn replace(&mut self, old: &str, new: &str, all: bool, by: usize) -> Replaced {
        let found = self.spans.iter().position(|span| span.text().contains(old));
        let Some(mut at) = found.filter(|_| !old.is_empty()) else {
            return if self.is_whole { Replaced::Differs } else { Replaced::Elsewhere };
        };
        while let Some(span) = self.spans.get(at) {
            let text = span.text();
            let text = match (text.contains(old), all) {
                (true, true) => text.replace(old, new),
                (true, false) => text.replacen(old, new, 1),
                (false, _) => text,
            };
            self.put(at, &text.split('\n').collect::<Vec<_>>(), by);
            at += 1;
            if !all {
                break;
            }
        }
        Replaced::Done
    }

    /// Puts whole lines in others' place.
    pub fn replace_lines(&mut self, old: &[&str], new: &[&str], by: usize) -> Replaced {
        let fits = |some: &[Line]| some.iter().zip(old).all(|(line, old)| is_same(&line.text, old));
        let mut places = self.spans.iter().enumerate().filter(|_| !old.is_empty());
        let found =
            places.find_map(|(no, span)| Some((no, span.now.windows(old.len()).position(fits)?)));
        let Some((no, at)) = found else {
            return if self.is_whole { Replaced::Differs } else { Replaced::Elsewhere };
        };
        let mut texts: Vec<String> =
            self.spans[no].now.iter().map(|line| line.text.clone()).collect();
        texts.splice(at..at + old.len(), new.iter().map(|line| (*line).to_owned()));
        self.put(no, &texts.iter().map(String::as_str).collect::<Vec<_>>(), by);
        Replaced::Done
    }

    /// The whole file, as a call wrote it.
    pub fn write(&mut self, content: &str, created: bool, by: usize) {
        let lines: Vec<&str> = content.split('\n').collect();
        let is_known = self.is_whole && (self.base != Base::Known || !created);
        if !is_known {
            let before: Vec<Line> = self.spans.drain(..).flat_map(|span| span.now).collect();
            self.base = if created { Base::Absent } else { Base::Unknown };
            self.spans = vec![Span { now: before, ..Span::default() }];
            self.is_whole = true;
        }
        self.put(0, &lines, by);
    }

    /// Gives a span other lines; those below it move, and those that stay keep who wrote them.
    fn put(&mut self, no: usize, lines: &[&str], by: usize) {
        let before = std::mem::take(&mut self.spans[no].now);
        let (was, is) = (before.len(), lines.len());
        self.spans[no].now = carried(&before, lines, Some(by));
        for below in &mut self.spans[no + 1..] {
            below.at = below.at + is - was;
        }
    }
}

/// Texts as lines, those that stood there before with who wrote them.
pub fn carried(before: &[Line], texts: &[&str], by: Option<usize>) -> Vec<Line> {
    let old: Vec<&str> = before.iter().map(|line| line.text.as_str()).collect();
    let mut lines: Vec<Line> =
        texts.iter().map(|text| Line { text: (*text).to_owned(), by }).collect();
    for op in capture_diff_slices(Algorithm::Myers, &old, texts) {
        if op.tag() == DiffTag::Equal {
            for (old, new) in op.old_range().zip(op.new_range()) {
                lines[new].by = before[old].by;
            }
        }
    }
    lines
}

/// A line as it was read: agents' tools leave out the carriage return at its end.
fn is_same(one: &str, other: &str) -> bool {
    one.trim_end_matches('\r') == other.trim_end_matches('\r')
}
