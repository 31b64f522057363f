//! Finds the rules' keywords in a text, whatever their case, with next to nothing to build first.
//!
//! A process that records one call meets a few KiB of text: an automaton over the keywords takes
//! longer to build (0.7 ms) than to look at all of it in any way. So every pair of bytes is looked
//! up in a bitmap of the pairs that keywords begin with, and what begins so is compared.

use super::rules::RULES;

/// A keyword, in lower case, and the rules that it belongs to, as indexes into [`RULES`].
struct Keyword {
    word: Vec<u8>,
    rules: Vec<usize>,
}

/// All rules' keywords, ready to be searched for.
pub(super) struct Keywords {
    /// A bit for every two bytes in lower case: whether a keyword begins with them.
    begins: Vec<u64>,
    /// In order of their first two bytes.
    words: Vec<Keyword>,
}

/// An occurrence: where it begins, and the rules to try there.
pub(super) struct Occurrence<'k> {
    pub start: usize,
    pub rules: &'k [usize],
}

impl Keywords {
    pub(super) fn new() -> Self {
        let mut words: Vec<Keyword> = Vec::new();
        let all = RULES.iter().enumerate();
        for (rule, keyword) in all.flat_map(|(at, it)| it.keywords.iter().map(move |w| (at, w))) {
            let word = keyword.to_ascii_lowercase().into_bytes();
            match words.iter_mut().find(|known| known.word == word) {
                Some(known) => known.rules.push(rule),
                None => words.push(Keyword { word, rules: vec![rule] }),
            }
        }
        words.sort_by(|a, b| a.word.cmp(&b.word));
        let mut begins = vec![0; 1 << 10];
        for pair in words.iter().filter_map(|keyword| pair(&keyword.word, 0)) {
            begins[usize::from(pair >> 6)] |= 1 << (pair & 63);
        }
        Self { begins, words }
    }

    /// Whether a text holds any keyword.
    pub(super) fn are_in(&self, text: &[u8]) -> bool {
        self.find(text).next().is_some()
    }

    /// Every occurrence of every keyword, in order of where they begin.
    pub(super) fn find<'k>(&'k self, text: &'k [u8]) -> impl Iterator<Item = Occurrence<'k>> {
        let begins = move |&(_, pair): &(usize, u16)| {
            self.begins[usize::from(pair >> 6)] & 1 << (pair & 63) != 0
        };
        let pairs = text.windows(2).enumerate();
        let pairs = pairs.filter_map(|(at, _)| pair(text, at).map(|pair| (at, pair)));
        pairs.filter(begins).flat_map(move |(start, first)| {
            let from = self.words.partition_point(|known| pair(&known.word, 0) < Some(first));
            let same = move |known: &&Keyword| pair(&known.word, 0) == Some(first);
            let here = move |known: &&Keyword| {
                let there = text.get(start..start + known.word.len());
                there.is_some_and(|there| there.eq_ignore_ascii_case(&known.word))
            };
            let words = self.words[from..].iter().take_while(same).filter(here);
            words.map(move |known| Occurrence { start, rules: &known.rules })
        })
    }
}

/// Two bytes in lower case as one number; `None` where there are not two.
fn pair(text: &[u8], at: usize) -> Option<u16> {
    let [first, second] = *text.get(at..at + 2)? else { return None };
    Some(u16::from_be_bytes([first.to_ascii_lowercase(), second.to_ascii_lowercase()]))
}
