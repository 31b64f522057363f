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

/// A keyword, in lower case, and whose it is.
struct Keyword {
    word: Vec<u8>,
    /// Its first eight bytes, or all of them and zeros, and which of them count.
    head: u64,
    mask: u64,
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
        let mut begins = vec![0_u64; 1 << (BITS_LOG2 - 6)];
        let mut chains = vec![NONE; 1 << CHAINS_LOG2];
        let mut all: Vec<Keyword> = Vec::new();
        for (word, owner) in words.filter(|(word, _)| word.len() >= LENGTH_MIN) {
            let word: Vec<u8> = word.iter().copied().map(folded).collect();
            let mut mark = |last: u8| {
                let key = [word[0], word[1], word[2], last];
                let bit = bit(u32::from_be_bytes(key));
                begins[bit >> 6] |= 1 << (bit & 63);
            };
            match word.get(3) {
                Some(fourth) => mark(*fourth),
                None => (0..=u8::MAX).map(folded).for_each(&mut mark),
            }
            let chain = chain(word[0], word[1], word[2]);
            let number = u16::try_from(all.len()).unwrap_or(NONE);
            let owner = u16::try_from(owner).unwrap_or(NONE);
            let (head, mask) = (head_of(&word), head_of(&[0xff; HEAD][..word.len().min(HEAD)]));
            all.push(Keyword { word, head, mask, owner, next: NONE });
            let last = last_of(chains[chain], &all);
            match last {
                Some(last) => all[last].next = number,
                None => chains[chain] = number,
            }
        }
        Self { begins, chains, words: all }
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
        let mut at = self.chains[chain(folded(text[0]), folded(text[1]), folded(text[2]))];
        let head = head_of(text) | FOLDED;
        while let Some(keyword) = self.words.get(usize::from(at)) {
            at = keyword.next;
            if head & keyword.mask != keyword.head {
                continue;
            }
            let same =
                |there: &[u8]| there.iter().map(|b| folded(*b)).eq(keyword.word.iter().copied());
            if text.get(..keyword.word.len()).is_some_and(same) {
                let (length, owner) = (keyword.word.len(), usize::from(keyword.owner));
                if !seen(Occurrence { start, length, owner }) {
                    return false;
                }
            }
        }
        true
    }
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

fn last_of(first: u16, words: &[Keyword]) -> Option<usize> {
    let mut last = (first != NONE).then_some(usize::from(first))?;
    while words[last].next != NONE {
        last = usize::from(words[last].next);
    }
    Some(last)
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

fn chain(first: u8, second: u8, third: u8) -> usize {
    let key = u32::from_be_bytes([0, first, second, third]);
    (key.wrapping_mul(0x9e37_79b1) >> (32 - CHAINS_LOG2)) as usize
}
