//! What a text is looked up by: its words, of which identifiers are split and kept whole too.
//!
//! The full-text index folds case and diacritics and cuts English endings (`porter`); here is what it does not
//! know: `defaultAgent`, `default_agent` and `default-agent` are the words `default agent`, one after the other, and
//! besides the whole `defaultagent`; a script that writes no spaces is looked up by each two letters that stand
//! together.

mod stem;
mod term;
#[cfg(test)]
mod tests;

pub use stem::stem;
pub use term::{QUERY_CHARS_MAX, TERMS_MAX, Term, pairs, telling};

use stem::is_mark;

/// Bytes of a word that count.
const WORD_BYTES_MAX: usize = 64;
/// A longer run of letters and digits is data, and no word.
const RUN_BYTES_MAX: usize = 160;

/// What a text is found by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// In their order, a blank between; no character in it but letters, digits and blanks.
    pub parts: String,
    /// Identifiers of several parts, joined.
    pub wholes: String,
}

impl Words {
    pub fn of(text: &str) -> Self {
        let mut words = Self::default();
        for run in runs(text).filter(|run| run.len() <= RUN_BYTES_MAX) {
            words.add(run);
        }
        words
    }

    fn add(&mut self, run: &str) {
        let before = self.parts.len();
        let mut count = 0;
        split(run, |part| {
            push(&mut self.parts, cut(part));
            count += 1;
        });
        if count > 1 && !run.contains(is_spaceless) && before < self.parts.len() {
            let whole: String = run.chars().filter(|it| *it != '_').collect();
            push(&mut self.wholes, cut(&whole));
        }
    }
}

fn push(out: &mut String, word: &str) {
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

fn cut(word: &str) -> &str {
    &word[..word.floor_char_boundary(WORD_BYTES_MAX)]
}

/// The runs of letters, digits and `_` of a text.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    let runs = text.split(|it: char| !it.is_alphanumeric() && it != '_' && !is_mark(it));
    runs.filter(|it| it.contains(|it: char| it.is_alphanumeric()))
}

/// Gives the parts of a run: by `_`, by the case of its letters; of a script without spaces each pair of letters.
pub fn split<'r>(run: &'r str, mut give: impl FnMut(&'r str)) {
    let mut chars = run.char_indices().peekable();
    let mut start = 0;
    let (mut before, mut before_at): (Option<char>, usize) = (None, 0);
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        let next = chars.peek().map(|it| it.1);
        if is_spaceless(c) {
            if start < at && before.is_some_and(|it| !is_spaceless(it)) {
                give(&run[start..at]);
            }
            match before.filter(|it| is_spaceless(*it)) {
                Some(_) => give(&run[before_at..end]),
                None if !next.is_some_and(is_spaceless) => give(&run[at..end]),
                None => {}
            }
            start = end;
        } else if c == '_' {
            if start < at {
                give(&run[start..at]);
            }
            start = end;
        } else {
            let is_hump = c.is_uppercase()
                && before.is_some_and(|it| {
                    it.is_lowercase()
                        || it.is_numeric()
                        || it.is_uppercase() && next.is_some_and(char::is_lowercase)
                });
            if is_hump && start < at {
                give(&run[start..at]);
                start = at;
            }
        }
        (before, before_at) = (Some(c), at);
    }
    if start < run.len() {
        give(&run[start..]);
    }
}

/// Of a script that writes no spaces between words.
pub fn is_spaceless(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
        | '\u{0e00}'..='\u{0eff}')
}
