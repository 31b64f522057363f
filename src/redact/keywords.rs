//! Finds the rules' keywords in a text, whatever their case, with next to nothing to build first.
//!
//! A process that records one call meets a few KiB of text: an automaton over the keywords takes
//! longer to build than to look at all of it in any way. So every four bytes are looked up in a
//! bitmap of the beginnings of keywords, and what may begin so is compared.

/// log2 of the bits in the bitmap: what it lets through falsely is some 3 %.
const BITS_LOG2: u32 = 17;
/// log2 of the chains that keywords are in.
const CHAINS_LOG2: u32 = 10;
/// The shortest keyword.
pub(super) const LENGTH_MIN: usize = 3;

/// A keyword, where it stands among the letters of all, and whose it is.
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

/// Words, ready to be searched for.
pub(super) struct Keywords {
    begins: Vec<u64>,
    /// The first keyword of each chain, by its first three bytes; `NONE` for none.
    chains: Vec<u16>,
    words: Vec<Keyword>,
    /// All words, in lower case, one behind the other.
    letters: Vec<u8>,
}

const NONE: u16 = u16::MAX;
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
    /// Of words with the numbers of their owners; those of one place in a text are found in the
    /// order that they are given in. Words below [`LENGTH_MIN`] bytes are left out.
    pub(super) fn new<'w>(words: impl Iterator<Item = (&'w [u8], usize)>) -> Self {
        let mut all = Self {
            begins: vec![0; 1 << (BITS_LOG2 - 6)],
            chains: vec![NONE; 1 << CHAINS_LOG2],
            words: Vec::new(),
            letters: Vec::new(),
        };
        let mut ends = vec![NONE; 1 << CHAINS_LOG2];
        words.for_each(|(word, owner)| all.add(word, owner, &mut ends));
        all
    }

    /// `ends` are the last keywords of the chains.
    fn add(&mut self, word: &[u8], owner: usize, ends: &mut [u16]) {
        let Some((&[first, second, third], rest)) = word.split_first_chunk() else { return };
        let first = three(first, second, third);
        match rest.first() {
            Some(fourth) => self.mark(first, *fourth),
            None => (0..=u8::MAX)
                .filter(|last| *last == folded(*last))
                .for_each(|last| self.mark(first, last)),
        }
        let number = u16::try_from(self.words.len()).unwrap_or(NONE);
        let owner = u16::try_from(owner).unwrap_or(NONE);
        let (begin, length) = (self.letters.len(), word.len() as u32);
        self.letters.extend(word.iter().copied().map(folded));
        let head = head_of(&self.letters[begin..]);
        let mask = head_of(&[0xff; HEAD][..word.len().min(HEAD)]);
        self.words.push(Keyword { head, mask, begin: begin as u32, length, owner, next: NONE });
        let chain = chain(first);
        match self.words.get_mut(usize::from(ends[chain])) {
            Some(last) if ends[chain] != NONE => last.next = number,
            _ => self.chains[chain] = number,
        }
        ends[chain] = number;
    }

    fn mark(&mut self, first: u32, fourth: u8) {
        let bit = bit(first << 8 | u32::from(folded(fourth)));
        self.begins[bit >> 6] |= 1 << (bit & 63);
    }

    /// Shows every occurrence of every word, in order of where they begin, until told to stop.
    pub(super) fn find(&self, text: &[u8], mut seen: impl FnMut(Occurrence) -> bool) {
        let Some((beginning, rest)) = text.split_at_checked(LENGTH_MIN) else { return };
        let mut key = 0;
        for byte in beginning {
            key = key << 8 | u32::from(folded(*byte));
        }
        // A word of three bytes at the very end has nothing behind it that could be a secret.
        for (start, byte) in rest.iter().enumerate() {
            key = key << 8 | u32::from(folded(*byte));
            let bit = bit(key);
            let may = self.begins[bit >> 6] & 1 << (bit & 63) != 0;
            // One letter over and over, as base 64 has it of zeros: no word begins inside of it.
            let again = || start > 0 && again(&text[start - 1..start + 3]);
            if may && !again() && !self.here(text, start, &mut seen) {
                return;
            }
        }
    }

    #[cold]
    fn here(&self, text: &[u8], start: usize, seen: &mut impl FnMut(Occurrence) -> bool) -> bool {
        let text = &text[start..];
        let first = three(text[0], text[1], text[2]);
        let mut at = self.chains[chain(first)];
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

fn bit(key: u32) -> usize {
    (key.wrapping_mul(0x9e37_79b1) >> (32 - BITS_LOG2)) as usize
}

fn three(first: u8, second: u8, third: u8) -> u32 {
    u32::from_be_bytes([0, folded(first), folded(second), folded(third)])
}

fn chain(first: u32) -> usize {
    (first.wrapping_mul(0x9e37_79b1) >> (32 - CHAINS_LOG2)) as usize
}
