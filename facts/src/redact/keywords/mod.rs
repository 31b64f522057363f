//! Finds the rules' keywords in a text, whatever their case, with next to nothing to build first.
//!
//! A process that records one call meets a few KiB of text: an automaton over the keywords takes
//! longer to build than to look at all of it in any way. So every four bytes are looked up in a
//! bitmap of the beginnings of keywords, and what may begin so is compared.

mod making;

use making::Making;

pub(in crate::redact) use making::{Builtin, sizes};

/// log2 of the bits in the bitmap: what it lets through falsely is some 3 %.
const BITS_LOG2: u32 = 17;
/// log2 of the chains that keywords are in.
const CHAINS_LOG2: u32 = 10;
/// The shortest keyword.
pub(super) const LENGTH_MIN: usize = 3;

/// Words of the bitmap.
const BEGINS: usize = 1 << (BITS_LOG2 - 6);
const CHAINS: usize = 1 << CHAINS_LOG2;

/// A keyword, where it stands among the letters of all, and whose it is.
#[derive(Clone, Copy)]
struct Keyword {
    /// Its first eight letters, or all of them and zeros, and which of them count: most words of a chain
    /// begin otherwise.
    head: u64,
    mask: u64,
    begin: u32,
    length: u32,
    owner: u16,
    /// The next one of the same chain.
    next: u16,
}

impl Keyword {
    const NONE: Self = Self { head: 0, mask: 0, begin: 0, length: 0, owner: NONE, next: NONE };
}

/// Words in chains.
#[derive(Clone, Copy)]
struct Chains<'k> {
    /// The first keyword of each chain, by its first three bytes; `NONE` for none.
    firsts: &'k [u16; CHAINS],
    words: &'k [Keyword],
    /// All words, in lower case, one behind the other.
    letters: &'k [u8],
}

/// Those of this process, and the beginnings of all.
struct Own {
    begins: Box<[u64; BEGINS]>,
    firsts: Box<[u16; CHAINS]>,
    words: Vec<Keyword>,
    letters: Vec<u8>,
}

/// Words, ready to be searched for.
pub(super) struct Keywords {
    builtin_begins: &'static [u64; BEGINS],
    builtin: Chains<'static>,
    own: Option<Own>,
}

const NONE: u16 = u16::MAX;
/// Whose the words are that are no rule's and no value's.
pub(super) const NOBODY: u16 = NONE;
const HEAD: usize = size_of::<u64>();
/// What [`folded`] sets, in each byte of a head.
const FOLDED: u64 = u64::from_le_bytes([0x20; HEAD]);

/// An occurrence: where a word begins, how long it is, and whose it is.
#[derive(Clone, Copy)]
pub(super) struct Occurrence {
    pub start: usize,
    pub length: usize,
    pub owner: usize,
}

impl Keywords {
    /// Those that every process has, and words with the numbers of their owners.
    pub(super) fn new<'w, const WORDS: usize, const LETTERS: usize>(
        builtin: &'static Builtin<WORDS, LETTERS>,
        own: impl Iterator<Item = (&'w [u8], usize)>,
    ) -> Self {
        let Builtin { begins, firsts, words, letters } = builtin;
        let own = Own::new(begins, own);
        Self { builtin_begins: begins, builtin: Chains { firsts, words, letters }, own }
    }

    /// Shows every occurrence of every word, in order of where they begin, until told to stop.
    pub(super) fn find(&self, text: &[u8], mut seen: impl FnMut(Occurrence) -> bool) {
        let Some((beginning, rest)) = text.split_at_checked(LENGTH_MIN) else { return };
        let begins = self.own.as_ref().map_or(self.builtin_begins, |own| &own.begins);
        let mut key = 0;
        for byte in beginning {
            key = key << 8 | u32::from(folded(*byte));
        }
        // A word of three bytes at the very end has nothing behind it that could be a secret.
        for (start, byte) in rest.iter().enumerate() {
            key = key << 8 | u32::from(folded(*byte));
            let bit = bit(key);
            let may = begins[bit >> 6] & 1 << (bit & 63) != 0;
            // One letter over and over, as base 64 has it of zeros: no word begins inside of it.
            let again = || start > 0 && again(&text[start - 1..start + 3]);
            if may && !again() && !self.here(text, start, &mut seen) {
                return;
            }
        }
    }

    #[cold]
    fn here(&self, text: &[u8], start: usize, seen: &mut impl FnMut(Occurrence) -> bool) -> bool {
        let own = self.own.as_ref().map(Own::chains);
        self.builtin.here(text, start, seen) && own.is_none_or(|own| own.here(text, start, seen))
    }
}

impl Own {
    fn new<'w>(
        builtin: &[u64; BEGINS],
        words: impl Iterator<Item = (&'w [u8], usize)>,
    ) -> Option<Self> {
        let all: Vec<_> = words.collect();
        if all.is_empty() {
            return None;
        }
        let mut own = Self {
            begins: Box::new(*builtin),
            firsts: Box::new([NONE; CHAINS]),
            words: vec![Keyword::NONE; all.len()],
            letters: vec![0; all.iter().map(|(word, _)| word.len()).sum()],
        };
        let mut lasts = [NONE; CHAINS];
        let texts = (own.words.as_mut_slice(), own.letters.as_mut_slice());
        let mut making = Making::over(&mut own.begins, (&mut own.firsts, &mut lasts), texts);
        for (word, owner) in all {
            making.add(word, u16::try_from(owner).unwrap_or(NOBODY));
        }
        Some(own)
    }

    fn chains(&self) -> Chains<'_> {
        Chains { firsts: &self.firsts, words: &self.words, letters: &self.letters }
    }
}

impl Chains<'_> {
    fn here(&self, text: &[u8], start: usize, seen: &mut impl FnMut(Occurrence) -> bool) -> bool {
        let text = &text[start..];
        let first = three(text[0], text[1], text[2]);
        let mut at = self.firsts[chain(first)];
        let head = head_of(text) | FOLDED;
        while let Some(keyword) = self.words.get(usize::from(at)) {
            at = keyword.next;
            if head & keyword.mask != keyword.head {
                continue;
            }
            let (begin, length) = (keyword.begin as usize, keyword.length as usize);
            let word = &self.letters[begin..begin + length];
            if text.get(..length).is_some_and(|there| is_folded(there, word)) {
                let owner = usize::from(keyword.owner);
                if !seen(Occurrence { start, length, owner }) {
                    return false;
                }
            }
        }
        true
    }
}

/// Whether a text as long as a word is it in lower case. A loop of its own, since this is called for every
/// beginning of a word that a text has.
fn is_folded(text: &[u8], word: &[u8]) -> bool {
    for (byte, letter) in text.iter().zip(word) {
        if folded(*byte) != *letter {
            return false;
        }
    }
    true
}

/// The first bytes of a text as one number, zeros where it is shorter.
fn head_of(text: &[u8]) -> u64 {
    if let Some(head) = text.first_chunk() {
        return u64::from_le_bytes(*head);
    }
    let mut head = [0; HEAD];
    head[..text.len()].copy_from_slice(text);
    u64::from_le_bytes(head)
}

fn again(text: &[u8]) -> bool {
    text[0].is_ascii_alphabetic() && text.iter().all(|byte| *byte == text[0])
}

/// A letter in lower case. Other bytes fall together as well, which costs a comparison that
/// fails later.
const fn folded(byte: u8) -> u8 {
    byte | 0x20
}

const fn bit(key: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> (32 - BITS_LOG2)) as usize
}

const fn three(first: u8, second: u8, third: u8) -> u32 {
    u32::from_be_bytes([0, folded(first), folded(second), folded(third)])
}

const fn chain(first: u32) -> usize {
    (first.wrapping_mul(0x9e37_79b1) >> (32 - CHAINS_LOG2)) as usize
}
