//! Which repository a memory is of.

use std::fmt;

use bincode::{Decode, Encode};

/// Which repository a memory is of: blake3 of where it lies, of where it came from and of its branch
/// (ruling 13). Shown as 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct RepoHash(pub [u8; 32]);

impl RepoHash {
    /// Reads 64 hexadecimal digits, of either case; anything else is `None`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let mut hash = [0; 32];
        for (byte, pair) in hash.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok()?; // two digits fit
        }
        Some(Self(hash))
    }
}

impl fmt::Display for RepoHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
