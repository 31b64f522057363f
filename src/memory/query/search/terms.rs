//! The words of a query, and whether a text has them.

use crate::memory::words::{each_exact, exact_words};

/// Characters of a query that are read; of a word that this cuts, the beginning only counts where it is
/// the first.
pub const QUERY_CHARS_MAX: usize = 4_096;
/// Different words of a query that count: the first ones.
pub const TERMS_MAX: usize = 32;

/// The words of a query, all of which must be found.
///
/// A word is a run of letters and digits, in lower case. One of ASCII alone is found where a text has
/// exactly that word; any other is found anywhere, since many scripts write no spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Terms {
    /// Of ASCII letters and digits.
    pub(super) ascii: Vec<String>,
    /// With any other letter.
    pub(super) wide: Vec<String>,
}

impl Terms {
    /// Reads any text: what is no letter and no digit only separates.
    pub(crate) fn of(query: &str) -> Self {
        let read: String = read(query).chars().flat_map(char::to_lowercase).collect();
        let mut terms = Self { ascii: Vec::new(), wide: Vec::new() };
        for term in exact_words(&read) {
            let full = terms.ascii.len() + terms.wide.len() == TERMS_MAX;
            let list = if term.is_ascii() { &mut terms.ascii } else { &mut terms.wide };
            if !full && !list.iter().any(|known| known == term) {
                list.push(term.to_owned());
            }
        }
        terms
    }

    /// Whether every word is in one of the texts.
    pub(crate) fn are_in<'t>(&self, texts: impl Iterator<Item = &'t str>) -> bool {
        let mut missing = self.nothing_found();
        for text in texts {
            if missing == Missing::default() {
                break;
            }
            self.find_in(text, &mut missing);
        }
        missing == Missing::default()
    }

    /// Whether a word is in one of the texts, or there is none to be found.
    pub(crate) fn is_any_in<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> bool {
        let none = self.nothing_found();
        let has_any = |text: &str| {
            let mut missing = self.nothing_found();
            self.find_in(text, &mut missing);
            missing != none
        };
        none == Missing::default() || texts.any(has_any)
    }

    fn nothing_found(&self) -> Missing {
        Missing { ascii: ones(self.ascii.len()), wide: ones(self.wide.len()) }
    }

    fn find_in(&self, text: &str, missing: &mut Missing) {
        if text.is_ascii() {
            return each_exact(text, |word| {
                find(&self.ascii, &mut missing.ascii, |term| term.eq_ignore_ascii_case(word));
            });
        }
        let text: String = text.chars().flat_map(char::to_lowercase).collect();
        for word in exact_words(&text) {
            find(&self.ascii, &mut missing.ascii, |term| term == word);
        }
        find(&self.wide, &mut missing.wide, |term| text.contains(term));
    }
}

/// A bit for each word that was not found yet.
#[derive(Default, PartialEq, Eq)]
struct Missing {
    ascii: u64,
    wide: u64,
}

const _: () = assert!(TERMS_MAX < 64);

fn ones(count: usize) -> u64 {
    (1 << count) - 1
}

fn find(terms: &[String], missing: &mut u64, is_found: impl Fn(&str) -> bool) {
    for (at, term) in terms.iter().enumerate() {
        if *missing & (1 << at) != 0 && is_found(term) {
            *missing &= !(1 << at);
        }
    }
}

/// As much of a query as is read.
fn read(query: &str) -> &str {
    let Some((end, next)) = query.char_indices().nth(QUERY_CHARS_MAX) else { return query };
    let read = &query[..end];
    let cut = read.trim_end_matches(char::is_alphanumeric);
    if next.is_alphanumeric() && cut.contains(char::is_alphanumeric) { cut } else { read }
}
