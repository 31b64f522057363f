//! What a text is looked up by: its words, of which identifiers are split and kept whole too.
//!
//! The full-text index folds case and diacritics and cuts English endings (`porter`); here is what it does not
//! know: `defaultAgent`, `default_agent` and `default-agent` are the words `default agent`, one after the other, and
//! besides the whole `defaultagent`; a script that writes no spaces is looked up by each two letters that stand
//! together, and besides by each alone; `ß` is `ss`, and `ﬁ` is `fi`.

mod letters;
mod stem;
mod term;
#[cfg(test)]
mod tests;

pub use stem::stem;
pub use term::{QUERY_CHARS_MAX, TERMS_MAX, Term, pairs, telling};

use std::borrow::Cow;

use letters::{folded, shown};
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
        for run in runs(text).filter(|it| !is_data(it)) {
            split(run, |part| push(&mut words.parts, part));
            wholes(run, |whole| push(&mut words.wholes, whole));
        }
        words
    }
}

/// What a run is besides its parts: an identifier of several is one word too, letters of a script without spaces are
/// one each.
pub fn wholes<'r>(run: &'r str, mut give: impl FnMut(&'r str)) {
    if run.contains(is_spaceless) {
        let mut rest = run;
        while let Some(at) = rest.find(is_spaceless) {
            let end = at + rest[at..].find(|it| !is_spaceless(it)).unwrap_or(rest.len() - at);
            let letters = &rest[at..end];
            // One alone is a part.
            for (at, c) in letters.char_indices().filter(|_| letters.chars().nth(1).is_some()) {
                give(&letters[at..at + c.len_utf8()]);
            }
            rest = &rest[end..];
        }
        return;
    }
    let mut count = 0;
    split(run, |_| count += 1);
    if count > 1 {
        give(run);
    }
}

/// A part or a whole of a run, as it is looked up.
pub fn word(of: &str) -> String {
    let plain: String = folded(of).chars().filter(|it| *it != '_').collect();
    cut(&plain).to_owned()
}

fn push(out: &mut String, part: &str) {
    let is_plain = part.is_ascii() && !part.contains('_');
    let word = if is_plain { cut(part).into() } else { Cow::from(word(part)) };
    if !out.is_empty() {
        out.push(' ');
    }
    out.push_str(&word);
}

fn cut(word: &str) -> &str {
    &word[..word.floor_char_boundary(WORD_BYTES_MAX)]
}

/// Whether a run is data and no word: a text is not looked up by it.
pub fn is_data(run: &str) -> bool {
    run.len() > RUN_BYTES_MAX
}

/// The runs of letters, digits and `_` of a text.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |it: char| !it.is_alphanumeric() && it != '_' && !is_mark(it);
    let runs = shown(text).flat_map(move |it| it.split(is_between));
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
