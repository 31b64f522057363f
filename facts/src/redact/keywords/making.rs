//! Putting keywords where a search finds them, also when the program is made: a process that records one call
//! would spend a fifth of its time on it.

use super::{BEGINS, CHAINS, HEAD, Keyword, NOBODY, NONE, bit, chain, folded, three};
use crate::redact::rule::Rule;

/// The keywords that every process has, made when the program is.
pub(in crate::redact) struct Builtin<const WORDS: usize, const LETTERS: usize> {
    pub(super) begins: [u64; BEGINS],
    pub(super) firsts: [u16; CHAINS],
    pub(super) words: [Keyword; WORDS],
    pub(super) letters: [u8; LETTERS],
}

/// What words are put into.
pub(super) struct Making<'k> {
    begins: &'k mut [u64; BEGINS],
    firsts: &'k mut [u16; CHAINS],
    /// The last keywords of the chains.
    lasts: &'k mut [u16; CHAINS],
    words: &'k mut [Keyword],
    letters: &'k mut [u8],
    count: usize,
    used: usize,
}

impl<'k> Making<'k> {
    pub(super) const fn over(
        begins: &'k mut [u64; BEGINS],
        (firsts, lasts): (&'k mut [u16; CHAINS], &'k mut [u16; CHAINS]),
        (words, letters): (&'k mut [Keyword], &'k mut [u8]),
    ) -> Self {
        Self { begins, firsts, lasts, words, letters, count: 0, used: 0 }
    }

    /// Words below [`LENGTH_MIN`] bytes are left out.
    pub(super) const fn add(&mut self, word: &[u8], owner: u16) {
        let [first, second, third, rest @ ..] = word else { return };
        let first = three(*first, *second, *third);
        match rest {
            [fourth, ..] => self.mark(first, *fourth),
            [] => {
                let mut last = 0;
                while last <= u8::MAX as u32 {
                    self.mark(first, last as u8);
                    last += 1;
                }
            }
        }
        let (begin, mut at) = (self.used, 0);
        let (mut head, mut mask) = ([0; HEAD], [0; HEAD]);
        while at < word.len() {
            let letter = folded(word[at]);
            self.letters[begin + at] = letter;
            if at < HEAD {
                (head[at], mask[at]) = (letter, 0xff);
            }
            at += 1;
        }
        self.used += word.len();
        let (head, mask) = (u64::from_le_bytes(head), u64::from_le_bytes(mask));
        let (begin, length) = (begin as u32, word.len() as u32);
        self.words[self.count] = Keyword { head, mask, begin, length, owner, next: NONE };
        let (number, chain) = (self.count as u16, chain(first));
        match self.lasts[chain] {
            NONE => self.firsts[chain] = number,
            last => self.words[last as usize].next = number,
        }
        self.lasts[chain] = number;
        self.count += 1;
    }

    const fn mark(&mut self, first: u32, fourth: u8) {
        let bit = bit(first << 8 | folded(fourth) as u32);
        self.begins[bit >> 6] |= 1 << (bit & 63);
    }
}

/// How many words rules and others have, and how many letters.
pub(in crate::redact) const fn sizes(families: &[&[Rule]], others: &[&[u8]]) -> (usize, usize) {
    let (mut words, mut letters, mut family) = (others.len(), 0, 0);
    while family < families.len() {
        let mut rule = 0;
        while rule < families[family].len() {
            let keywords = families[family][rule].keywords;
            (words, rule) = (words + keywords.len(), rule + 1);
            let mut at = 0;
            while at < keywords.len() {
                (letters, at) = (letters + keywords[at].len(), at + 1);
            }
        }
        family += 1;
    }
    let mut at = 0;
    while at < others.len() {
        (letters, at) = (letters + others[at].len(), at + 1);
    }
    (words, letters)
}

impl<const WORDS: usize, const LETTERS: usize> Builtin<WORDS, LETTERS> {
    /// The keywords of rules, each with its rule's number, and others that are [`NOBODY`]'s; those of one place
    /// in a text are found in this order. As large as [`sizes`] says.
    pub(in crate::redact) const fn new(families: &[&[Rule]], others: &[&[u8]]) -> Self {
        let mut all = Self {
            begins: [0; BEGINS],
            firsts: [NONE; CHAINS],
            words: [Keyword::NONE; WORDS],
            letters: [0; LETTERS],
        };
        let mut lasts = [NONE; CHAINS];
        let texts = (all.words.as_mut_slice(), all.letters.as_mut_slice());
        let mut making = Making::over(&mut all.begins, (&mut all.firsts, &mut lasts), texts);
        let (mut family, mut owner) = (0, 0);
        while family < families.len() {
            let mut rule = 0;
            while rule < families[family].len() {
                let (keywords, mut at) = (families[family][rule].keywords, 0);
                while at < keywords.len() {
                    making.add(keywords[at].as_bytes(), owner);
                    at += 1;
                }
                (rule, owner) = (rule + 1, owner + 1);
            }
            family += 1;
        }
        let mut at = 0;
        while at < others.len() {
            making.add(others[at], NOBODY);
            at += 1;
        }
        all
    }
}
