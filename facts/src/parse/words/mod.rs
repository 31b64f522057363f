//! What a text is looked up by: its words, of which identifiers are split and kept whole too.
//!
//! The full-text index folds case and diacritics and cuts English endings (`porter`); here is what it does not
//! know: `defaultAgent`, `default_agent` and `default-agent` are the words `default agent`, one after the other, and
//! besides the whole `defaultagent`; a script that writes no spaces is looked up by each two letters that stand
//! together, and besides by each alone; `ß` is `ss`, and `ﬁ` is `fi`.

mod letters;
mod runs;
mod stem;
mod term;
#[cfg(test)]
mod tests;

pub use runs::{is_spaceless, runs, split};
pub use stem::stem;
pub use term::{QUERY_CHARS_MAX, TERMS_MAX, Term, pairs, telling};

use letters::folded;

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
            let mut count = 0;
            split(run, |part| {
                count += 1;
                push(&mut words.parts, part);
            });
            match run.is_ascii() {
                true if count > 1 => push(&mut words.wholes, run),
                true => {}
                false => wholes(run, |whole| push(&mut words.wholes, whole)),
            }
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
    if !out.is_empty() {
        out.push(' ');
    }
    if !part.is_ascii() {
        out.push_str(&word(part));
        return;
    }
    let from = out.len();
    part.split('_').for_each(|it| out.push_str(it));
    out.truncate(from + WORD_BYTES_MAX);
}

fn cut(word: &str) -> &str {
    &word[..word.floor_char_boundary(WORD_BYTES_MAX)]
}

/// Whether a run is data and no word: a text is not looked up by it.
pub fn is_data(run: &str) -> bool {
    run.len() > RUN_BYTES_MAX
}
