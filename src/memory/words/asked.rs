//! What is asked for: words, and words side by side, of which any may be found.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, GAP, KEY_BYTES, WHOLES, key, keys};
use crate::parse::words::{QUERY_CHARS_MAX, TERMS_MAX, Term, Words, pairs, stem, telling};

/// Forms of all words of a query that are looked for.
const FORMS_MAX: usize = 256;
/// What an identifier weighs that is found whole, beside its parts.
const WHOLE: f64 = 0.8;
/// Bits of a key that are looked at before anything else is.
const FILTER_BITS: u32 = 12;

/// A query, read: nothing that a person types is an operator.
#[derive(Debug, Default)]
pub struct Asked {
    /// Each once.
    forms: Vec<Vec<u32>>,
    /// The forms that begin with a key.
    by_first: BTreeMap<u32, Vec<usize>>,
    /// Whether any of `by_first` has these bits.
    filter: Vec<u64>,
    stems: BTreeSet<String>,
}

/// How often each form was found in a record.
#[derive(Debug, Default)]
pub struct Counts {
    all: Vec<f64>,
    /// Of which any was.
    found: Vec<usize>,
}

impl Counts {
    pub fn take(&mut self) -> impl Iterator<Item = (usize, f64)> {
        // Records that say the same count the same.
        self.found.sort_unstable();
        self.found.drain(..).map(|form| (form, std::mem::take(&mut self.all[form])))
    }
}

impl Asked {
    pub fn of(query: &str) -> Self {
        let end = query.char_indices().nth(QUERY_CHARS_MAX).map_or(query.len(), |it| it.0);
        let mut terms: Vec<Term> = query[..end].split_whitespace().filter_map(Term::of).collect();
        telling(&mut terms);
        terms.truncate(TERMS_MAX);
        let forms = terms.iter().flat_map(Term::forms);
        let forms = forms.chain(pairs(&terms).map(Vec::from));
        let mut asked = Self { filter: vec![0; 1 << (FILTER_BITS - 6)], ..Self::default() };
        for form in forms.take(FORMS_MAX) {
            let stems: Vec<String> = form.iter().map(|it| stem(it)).collect();
            let form: Vec<u32> = stems.iter().map(|it| key(it)).collect();
            if asked.forms.contains(&form) {
                continue;
            }
            let (first, number) = (form[0], asked.forms.len());
            asked.filter[word(first)] |= bit(first);
            asked.by_first.entry(first).or_default().push(number);
            asked.forms.push(form);
            asked.stems.extend(stems);
        }
        asked
    }

    /// Whether no word is asked for.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// How many forms there are.
    pub fn forms(&self) -> usize {
        self.forms.len()
    }

    /// Counts what a record has of it.
    pub fn count(&self, entry: &Entry<'_>, counts: &mut Counts) {
        counts.all.resize(self.forms.len(), 0.0);
        self.count_in(entry.text, counts);
        self.count_in(entry.tags, counts);
    }

    fn count_in(&self, section: &[u8], counts: &mut Counts) {
        let mut weight = 1.0;
        for (at, key) in keys(section).enumerate() {
            weight = match key {
                WHOLES => WHOLE,
                GAP => 1.0,
                _ => weight,
            };
            if self.filter[word(key)] & bit(key) == 0 {
                continue;
            }
            for number in self.by_first.get(&key).into_iter().flatten() {
                let form = &self.forms[*number];
                if form.len() == 1
                    || keys(&section[KEY_BYTES * at..]).take(form.len()).eq(form.iter().copied())
                {
                    if counts.all[*number] == 0.0 {
                        counts.found.push(*number);
                    }
                    counts.all[*number] += weight;
                }
            }
        }
    }

    /// Whether a text has any of its words: keys may be two words' alone.
    pub fn is_any_in(&self, text: &str) -> bool {
        let Words { parts, wholes } = Words::of(text);
        let mut words = parts.split(' ').chain(wholes.split(' '));
        words.any(|it| !it.is_empty() && self.stems.contains(&stem(it)))
    }
}

fn word(key: u32) -> usize {
    (key >> 6) as usize & ((1 << (FILTER_BITS - 6)) - 1)
}

fn bit(key: u32) -> u64 {
    1 << (key & 63)
}
