//! What is kept of values that were redacted: enough to know them again, and nothing to read them by.
//!
//! Of each form of a value there are its length, a *sign* of its first bytes and a keyed digest. The
//! sign is sixteen bits of a keyed product, looked up at every byte of a text; only where one fits is
//! a digest made. Without the key nobody can test a guess.

use std::ops::Range;

use super::forms::forms;

pub const DIGEST_KEY_BYTES: usize = 32;
const SIGNS: usize = 1 << 16;
/// What a sign is of: shorter forms are not kept.
pub const KEPT_MIN: usize = 6;

/// One form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptValue {
    pub len: u32,
    pub sign: u16,
    pub digest: [u8; 32],
}

/// Values to be known again.
#[derive(Clone)]
pub struct KeptValues {
    key: [u8; DIGEST_KEY_BYTES],
    multiplier: u64,
    /// In order of sign.
    values: Vec<KeptValue>,
    /// A bit for each sign that there is.
    signs: Vec<u64>,
}

impl KeptValues {
    pub fn new(key: [u8; DIGEST_KEY_BYTES], mut values: Vec<KeptValue>) -> Self {
        let drawn = blake3::keyed_hash(&key, b"annals sign of a redacted value v1");
        let multiplier = u64::from_le_bytes(std::array::from_fn(|at| drawn.as_bytes()[at])) | 1;
        values.sort_by_key(|it| (it.sign, it.len, it.digest));
        values.dedup();
        let mut signs = vec![0; SIGNS / 64];
        for value in &values {
            signs[usize::from(value.sign) >> 6] |= 1 << (value.sign & 63);
        }
        Self { key, multiplier, values, signs }
    }

    pub fn values(&self) -> &[KeptValue] {
        &self.values
    }

    /// What is kept of a value.
    pub fn of(&self, value: &[u8]) -> Vec<KeptValue> {
        let forms = forms(value).into_iter();
        forms
            .filter_map(|(bytes, _)| {
                let sign = self.sign(first(&bytes)?);
                let len = u32::try_from(bytes.len()).ok()?; // longer than any text
                Some(KeptValue { len, sign, digest: self.digest(&bytes) })
            })
            .collect()
    }

    /// A digest of what is no text: of whose a call is.
    pub fn digest_of(&self, what: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher.update(what.as_bytes());
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        *hasher.finalize().as_bytes()
    }

    pub(in crate::redact) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Shows every place where one of them stands, in order; no two overlap.
    pub(in crate::redact) fn find(&self, text: &[u8], mut seen: impl FnMut(Range<usize>)) {
        if self.is_empty() {
            return;
        }
        let mut from = 0;
        let mut look = |at: usize, word: u64| {
            let sign = self.sign(word);
            if self.signs[usize::from(sign) >> 6] & 1 << (sign & 63) != 0
                && at >= from
                && let Some(len) = self.longest(&text[at..], sign)
            {
                seen(at..at + len);
                from = at + len;
            }
        };
        let words = text.windows(size_of::<u64>());
        let whole = words.len();
        for (at, word) in words.enumerate() {
            let word = word.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            look(at, word & FIRST);
        }
        // The last ones have fewer bytes behind them than a word.
        for at in whole..text.len() {
            if let Some(word) = first(&text[at..]) {
                look(at, word);
            }
        }
    }

    /// The length of the longest that a text begins with.
    fn longest(&self, text: &[u8], sign: u16) -> Option<usize> {
        let begin = self.values.partition_point(|it| it.sign < sign);
        let same = self.values[begin..].iter().take_while(|it| it.sign == sign);
        let mut longest = None;
        let mut made: Option<(usize, [u8; 32])> = None;
        for value in same {
            let len = value.len as usize;
            let Some(bytes) = text.get(..len) else { break };
            let digest = match made {
                Some((of, digest)) if of == len => digest,
                _ => self.digest(bytes),
            };
            made = Some((len, digest));
            if digest == value.digest {
                longest = Some(len);
            }
        }
        longest
    }

    fn digest(&self, bytes: &[u8]) -> [u8; 32] {
        *blake3::keyed_hash(&self.key, bytes).as_bytes()
    }

    fn sign(&self, word: u64) -> u16 {
        (word.wrapping_mul(self.multiplier) >> 48) as u16
    }
}

/// Of a word the bytes that a sign is of.
const FIRST: u64 = (1 << (8 * KEPT_MIN)) - 1;

/// The first six bytes.
fn first(text: &[u8]) -> Option<u64> {
    if let Some(word) = text.first_chunk::<8>() {
        return Some(u64::from_le_bytes(*word) & FIRST);
    }
    let mut word = [0; 8];
    word[..KEPT_MIN].copy_from_slice(text.get(..KEPT_MIN)?);
    Some(u64::from_le_bytes(word))
}
