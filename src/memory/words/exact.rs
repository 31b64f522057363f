//! Words letter by letter, in any case: what a question for all of its words asks for, and which records may have
//! them by their keys.
//!
//! A record's keys are of stems and of the parts of identifiers, so that they say more than that a word is there;
//! where they say less, of a word too long or one that is written into another, the record is marked as odd.

use super::{Entry, ODD, Words, key, keys, stem};

/// The runs of letters and digits of a text in lower case.
pub fn exact_words(lower: &str) -> impl Iterator<Item = &str> {
    lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Gives the words of a text; those of ASCII alone perhaps in their own case.
pub fn each_exact(text: &str, give: impl FnMut(&str)) {
    if text.is_ascii() {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        return words.filter(|word| !word.is_empty()).for_each(give);
    }
    let lower: String = text.chars().flat_map(char::to_lowercase).collect();
    exact_words(&lower).for_each(give);
}

/// Whether a text has a word of ASCII alone that is none of its keys.
pub(super) fn is_odd(text: &str, words: &Words, kept: &[u8]) -> bool {
    let mut parts = words.parts.split_terminator(' ');
    let (mut next, mut sorted, mut odd) = (parts.next(), None, false);
    each_exact(text, |word| {
        if next.is_some_and(|it| it.eq_ignore_ascii_case(word)) {
            next = parts.next();
        } else if word.is_ascii() && !odd {
            let sorted = sorted.get_or_insert_with(|| {
                let mut all: Vec<u32> = keys(kept).collect();
                all.sort_unstable();
                all
            });
            odd = sorted.binary_search(&key(&stem(word))).is_err();
        }
    });
    odd
}

/// Words of ASCII alone, all of which a record must have, and whole tags.
#[derive(Debug)]
pub struct Exact {
    words: Vec<u32>,
    tags: Vec<u32>,
}

impl Exact {
    pub fn of<'w>(words: impl Iterator<Item = &'w str>, tags: &[String]) -> Self {
        let tags = tags.iter().map(|it| key(it)).collect();
        Self { words: words.map(|it| key(&stem(it))).collect(), tags }
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.tags.is_empty()
    }

    /// Whether a record may have all of them, as far as its keys tell.
    pub fn may_be_in(&self, entry: &Entry<'_>) -> bool {
        let has = |wanted: u32| keys(entry.text).chain(keys(entry.tags)).any(|it| it == wanted);
        let has_tag = |wanted: u32| keys(entry.tag_names).any(|it| it == wanted);
        self.tags.iter().all(|it| has_tag(*it))
            && (self.words.iter().all(|it| has(*it)) || has(ODD))
    }
}
