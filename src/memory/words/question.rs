//! What is asked for: words, and words side by side, of which any may be found.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, GAP, KEY_BYTES, WHOLES, key, keys};
use crate::parse::words::{QUERY_CHARS_MAX, TERMS_MAX, Term, Words, pairs, stem, telling};

/// Forms of all words of a query that are looked for.
const FORMS_MAX: usize = 256;
/// What an identifier weighs that is found whole, beside its parts.
const WHOLE: f64 = 0.8;

/// A query, read: nothing that a person types is an operator.
#[derive(Debug, Default)]
pub struct Asked {
    /// Each once.
    forms: Vec<Vec<u32>>,
    /// The forms that begin with a key.
    by_first: BTreeMap<u32, Vec<usize>>,
    /// Whether any of `by_first`, or what stands between words, has these bits.
    filter: Filter,
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
        let mut asked = Self::default();
        asked.filter.add(WHOLES);
        asked.filter.add(GAP);
        for form in forms.take(FORMS_MAX) {
            let stems: Vec<String> = form.iter().map(|it| stem(it)).collect();
            let form: Vec<u32> = stems.iter().map(|it| key(it)).collect();
            if asked.forms.contains(&form) {
                continue;
            }
            let (first, number) = (form[0], asked.forms.len());
            asked.filter.add(first);
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
            if !self.filter.may_have(key) {
                continue;
            }
            weight = match key {
                WHOLES => WHOLE,
                GAP => 1.0,
                _ => weight,
            };
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

/// Most keys of a record are none that is looked for, and this says so at once.
#[derive(Debug)]
struct Filter([u64; WORDS]);

/// Of 64 bits.
const WORDS: usize = 64;

impl Default for Filter {
    fn default() -> Self {
        Self([0; WORDS])
    }
}

impl Filter {
    fn add(&mut self, key: u32) {
        self.0[(key >> 6) as usize % WORDS] |= 1 << (key % 64);
    }

    fn may_have(&self, key: u32) -> bool {
        self.0[(key >> 6) as usize % WORDS] & (1 << (key % 64)) != 0
    }
}
