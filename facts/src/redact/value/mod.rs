//! Finds values that are known, however they are written.

mod begins;
mod digests;
mod dumps;
mod forms;
mod lines;
#[cfg(test)]
mod tests;

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::disguise;

use begins::Begins;
use forms::forms;
use lines::Lines;

pub use digests::{DIGEST_KEY_BYTES, KEPT_MIN, KeptValue, KeptValues};
pub(super) use dumps::dumps;
pub use forms::Written;

/// How often base 64 may stand in base 64.
const DEPTH_MAX: usize = 3;

/// Where a value stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueFound {
    pub range: Range<usize>,
    /// Which of the values that were asked for.
    pub value: usize,
    pub written: Written,
}

/// Values, ready to be looked for in every form.
pub struct Values {
    automaton: AhoCorasick,
    /// Of each pattern: which value, and how it is written.
    owners: Vec<(usize, Written)>,
    form_bytes_max: usize,
    /// Of each value that has several.
    lines: Vec<(usize, Lines)>,
    /// By their first bytes, for what is in pieces.
    begins: Begins,
}

impl Values {
    /// `None` where there are more than can be looked for at once.
    pub fn new(values: &[Vec<u8>]) -> Option<Self> {
        let (mut patterns, mut owners) = (Vec::new(), Vec::new());
        for (at, value) in values.iter().enumerate() {
            for (bytes, written) in forms(value) {
                patterns.push(bytes);
                owners.push((at, written));
            }
        }
        let form_bytes_max = patterns.iter().map(Vec::len).max().unwrap_or(0);
        let lines = values.iter().enumerate();
        let lines = lines.filter_map(|(at, value)| Some((at, Lines::of(value)?))).collect();
        let automaton =
            AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&patterns);
        // Only its size can be in the way.
        let begins = Begins::of(patterns);
        Some(Self { automaton: automaton.ok()?, owners, form_bytes_max, lines, begins })
    }

    /// In what a text ends that one of the forms begins with; each form by its number, and how much of it that is.
    pub fn begun(&self, text: &[u8]) -> Vec<(usize, usize)> {
        self.begins.at_end_of(text)
    }

    /// A form by its number, and which value it is of.
    pub fn form(&self, number: usize) -> Option<(&[u8], usize)> {
        let (value, _) = self.owners.get(number)?;
        Some((self.begins.form(number)?, *value))
    }

    /// How long the longest form is: what a look over a stream must see together.
    pub fn form_bytes_max(&self) -> usize {
        self.form_bytes_max
    }

    pub fn is_in(&self, text: &[u8]) -> bool {
        self.automaton.is_match(text) || !self.find(text).is_empty()
    }

    /// Every place, in order and apart from each other: also what says a value once its escapes are
    /// read, or its base 64 is decoded; of that the whole run is the place.
    pub fn find(&self, text: &[u8]) -> Vec<ValueFound> {
        let mut found = Vec::new();
        self.look(text, 0, &mut found);
        found.sort_by_key(|it| (it.range.start, std::cmp::Reverse(it.range.end)));
        let mut end = 0;
        found.retain(|it| {
            let is_apart = it.range.start >= end;
            end = end.max(it.range.end);
            is_apart
        });
        found
    }

    fn look(&self, text: &[u8], depth: usize, found: &mut Vec<ValueFound>) {
        self.literal(text, found);
        for (value, lines) in &self.lines {
            let (value, written) = (*value, Written::Lines);
            lines.find(text, |range| found.push(ValueFound { range, value, written }));
        }
        for stretch in disguise::stretches(text, &escapes(text)) {
            let Some(view) = disguise::plain(text, &stretch) else { continue };
            let mut inner = Vec::new();
            self.literal(&view.text, &mut inner);
            found.extend(inner.into_iter().map(|it| {
                let range = view.in_source(&it.range);
                let is_url = text[range.clone()].contains(&b'%');
                let written = match it.written {
                    Written::Plain if is_url => Written::Percent,
                    Written::Plain => Written::Json,
                    other => other,
                };
                ValueFound { range, written, ..it }
            }));
        }
        dumps(text, |range, says| {
            let mut inner = Vec::new();
            self.literal(says, &mut inner);
            let (first, written) = (inner.into_iter().next(), Written::Hex);
            found.extend(first.map(|it| ValueFound { range, written, ..it }));
        });
        if depth < DEPTH_MAX {
            disguise::texts(text, |range, says| {
                let mut inner = Vec::new();
                self.look(says, depth + 1, &mut inner);
                let is_hex = text[range.clone()].iter().all(u8::is_ascii_hexdigit);
                let written = if is_hex { Written::Hex } else { Written::Base64 };
                let first = inner.into_iter().next();
                found.extend(first.map(|it| ValueFound { range, written, ..it }));
            });
        }
    }

    fn literal(&self, text: &[u8], found: &mut Vec<ValueFound>) {
        found.extend(self.automaton.find_iter(text).filter_map(|it| {
            let (value, written) = *self.owners.get(it.pattern().as_usize())?;
            Some(ValueFound { range: it.range(), value, written })
        }));
    }
}

/// Where something stands that [`disguise::plain`] reads as another character.
pub(super) fn escapes(text: &[u8]) -> Vec<usize> {
    let is_escape = |at: &usize| match (text[*at], text.get(at + 1)) {
        (b'%', Some(next)) => next.is_ascii_hexdigit(),
        (b'\\', Some(next)) => matches!(next, b'u' | b'x' | b'/' | b'\\'),
        _ => false,
    };
    memchr::memchr2_iter(b'%', b'\\', text).filter(is_escape).collect()
}
