//! Words of texts, names and paths, and which documents have those asked for (BM25).

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

/// Words that say nothing of what a text is about.
const PLAIN: &str = "a about add after all also an and any are as ask at be been before but by call can change \
    changed changes check code could did do does doing done else file files find fix for from get go got had has have \
    help here how i if implement in into is it its just lets like look make me may more my need new no not now of on \
    one only or other our out please run same see should show so some test tests than that the their them then there \
    these they this to too up us use used using want was we well were what when where which while who why will with \
    work would you your";
static IS_PLAIN: LazyLock<HashSet<&str>> = LazyLock::new(|| PLAIN.split_whitespace().collect());
/// Endings of words that name the same.
const ENDINGS: [&str; 9] = ["ings", "ing", "ions", "ion", "ers", "ies", "ed", "es", "s"];
const STEM_CHARS_MIN: usize = 4;
/// Of a word in three letters nobody tells what it is.
const WORD_CHARS_MIN: usize = 3;

/// The words of a text, each once: names in camelCase and snake_case in their parts, without endings.
pub fn words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    each(text, |word| {
        found.insert(word.to_owned());
    });
    found
}

/// The same as numbers, in order: of long texts only it is asked which words they have.
pub fn numbers(text: &str) -> Vec<u64> {
    let mut found = Vec::new();
    each(text, |word| found.push(number(word)));
    found.sort_unstable();
    found.dedup();
    found
}

/// FNV-1a: words are short and many, and two that are taken for one cost a little of an order.
fn number(word: &str) -> u64 {
    let step = |found: u64, byte: &u8| (found ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    word.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Shows the words of a text as they come.
fn each(text: &str, mut show: impl FnMut(&str)) {
    let mut part = String::new();
    let mut letters = text.chars().peekable();
    let mut before: Option<char> = None;
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            end(&mut part, &mut show);
            before = None;
            continue;
        }
        let begins = letter.is_uppercase()
            && before.is_some_and(|it| {
                let mut ends = || letters.peek().is_some_and(|it| it.is_lowercase());
                it.is_lowercase() || it.is_uppercase() && ends()
            });
        if begins {
            end(&mut part, &mut show);
        }
        match letter.is_ascii() {
            true => part.push(letter.to_ascii_lowercase()),
            false => part.extend(letter.to_lowercase()),
        }
        before = Some(letter);
    }
    end(&mut part, &mut show);
}

fn end(part: &mut String, show: &mut impl FnMut(&str)) {
    if part.chars().nth(WORD_CHARS_MIN - 1).is_some() && !IS_PLAIN.contains(part.as_str()) {
        let stem = ENDINGS.iter().find_map(|it| part.strip_suffix(it));
        let stem = stem.filter(|it| it.chars().count() >= STEM_CHARS_MIN);
        show(stem.unwrap_or(part));
    }
    part.clear();
}

/// How much each of some names has of the words asked for.
#[derive(Debug)]
pub struct Documents<'a, 'w> {
    asked: &'w BTreeSet<String>,
    all: BTreeMap<&'a str, Document<'w>>,
}

#[derive(Debug, Default)]
struct Document<'w> {
    words: f64,
    /// Of those asked for.
    times: BTreeMap<&'w str, f64>,
}

// Of BM25: how soon more of the same word adds nothing, and how much the length counts.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.5;

impl<'a, 'w> Documents<'a, 'w> {
    pub fn asked(asked: &'w BTreeSet<String>) -> Self {
        Self { asked, all: BTreeMap::new() }
    }

    /// The words asked for that are among these.
    pub fn of(&self, words: &BTreeSet<String>) -> Vec<&'w str> {
        self.asked.iter().filter(|it| words.contains(*it)).map(String::as_str).collect()
    }

    /// The same of a text's numbers.
    pub fn of_numbers(&self, numbers: &[u64]) -> Vec<&'w str> {
        let has = |it: &&String| numbers.binary_search(&number(it)).is_ok();
        self.asked.iter().filter(has).map(String::as_str).collect()
    }

    /// Adds words to what is said of a name: how many, and those asked for among them.
    pub fn add(&mut self, name: &'a str, count: usize, found: &[&'w str], weight: f64) {
        let document = self.all.entry(name).or_default();
        document.words += count as f64 * weight;
        for word in found {
            *document.times.entry(word).or_default() += weight;
        }
    }

    /// What each has of the words asked for; those that have none are not there.
    pub fn ranked(&self) -> BTreeMap<&'a str, f64> {
        let count = self.all.len() as f64;
        let mean = self.all.values().map(|it| it.words).sum::<f64>() / count.max(1.0);
        let mut found: BTreeMap<&str, f64> = BTreeMap::new();
        for word in self.asked {
            let has = |it: &&Document<'_>| it.times.contains_key(word.as_str());
            let having = self.all.values().filter(has).count() as f64;
            let rarity = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
            for (name, document) in &self.all {
                let Some(times) = document.times.get(word.as_str()) else { continue };
                let long = 1.0 - LENGTH + LENGTH * document.words / mean.max(f64::MIN_POSITIVE);
                let says = times * (SATURATION + 1.0) / (times + SATURATION * long);
                *found.entry(name).or_default() += rarity * says;
            }
        }
        found
    }
}
