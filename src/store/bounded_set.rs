//! Ids and names that a load has met, in bounded memory: what is not among them is nowhere, so that nobody looks
//! for it; what is may be, and is looked for.

use std::hash::{DefaultHasher, Hash, Hasher};

/// With a million executions one look in fifty is in vain; with more, more are.
const BITS_LOG2: u32 = 24;
const WORDS: usize = 1 << (BITS_LOG2 - 6);

#[derive(Debug, Default)]
pub(crate) struct Met {
    /// Empty until the first is met.
    bits: Vec<u64>,
}

impl Met {
    pub fn note(&mut self, key: impl Hash) {
        if self.bits.is_empty() {
            self.bits.resize(WORDS, 0);
        }
        for (word, bit) in places(key) {
            if let Some(word) = self.bits.get_mut(word) {
                *word |= bit;
            }
        }
    }

    pub fn may_have(&self, key: impl Hash) -> bool {
        places(key).all(|(word, bit)| self.bits.get(word).is_some_and(|it| it & bit != 0))
    }
}

fn places(key: impl Hash) -> impl Iterator<Item = (usize, u64)> {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    let hash = hasher.finish();
    [0, 20, 40].into_iter().map(move |shift| {
        let place = (hash >> shift) as usize & ((1 << BITS_LOG2) - 1);
        (place >> 6, 1 << (place & 63))
    })
}

#[cfg(test)]
mod tests;
