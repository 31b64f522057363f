//! Words of texts, names and paths, and which documents have those asked for (BM25).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Words that say nothing of what a text is about.
const PLAIN: &str = "a about add after all also an and any are as ask at be been before but by call can change \
    changed changes check code could did do does doing done else file files find fix for from get go got had has have \
    help here how i if implement in into is it its just lets like look make me may more my need new no not now of on \
    one only or other our out please run same see should show so some test tests than that the their them then there \
    these they this to too up us use used using want was we well were what when where which while who why will with \
    work would you your";
static IS_PLAIN: LazyLock<BTreeSet<&str>> = LazyLock::new(|| PLAIN.split_whitespace().collect());
/// Endings of words that name the same.
const ENDINGS: [&str; 9] = ["ings", "ing", "ions", "ion", "ers", "ies", "ed", "es", "s"];
const STEM_CHARS_MIN: usize = 4;
/// Of a word in three letters nobody tells what it is.
const WORD_CHARS_MIN: usize = 3;

/// The words of a text, each once: names in camelCase and snake_case in their parts, without endings.
pub fn words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in text.split(|it: char| !it.is_alphanumeric()) {
        let letters: Vec<char> = word.chars().collect();
        let mut part = String::new();
        for (at, letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).map(|at| letters[at]);
            let after = letters.get(at + 1);
            let begins = before.is_some_and(|it| {
                letter.is_uppercase()
                    && (it.is_lowercase()
                        || it.is_uppercase() && after.is_some_and(|it| it.is_lowercase()))
            });
            if begins {
                add(&mut found, &part);
                part.clear();
            }
            part.extend(letter.to_lowercase());
        }
        add(&mut found, &part);
    }
    found
}

fn add(found: &mut BTreeSet<String>, word: &str) {
    let chars = word.chars().count();
    if chars < WORD_CHARS_MIN || IS_PLAIN.contains(word) {
        return;
    }
    let stem = ENDINGS.iter().find_map(|it| word.strip_suffix(it));
    let stem = stem.filter(|it| it.chars().count() >= STEM_CHARS_MIN);
    found.insert(stem.unwrap_or(word).to_owned());
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
