//! Sets of bytes that tokens are written in.

/// A set of bytes.
pub(super) struct Class([bool; 256]);

impl Class {
    /// The bytes of `singles`, and every byte from the first to the second of each pair in
    /// `ranges`.
    pub(super) const fn new(ranges: &[u8], singles: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut at = 0;
        while at + 1 < ranges.len() {
            let mut byte = ranges[at] as usize;
            while byte <= ranges[at + 1] as usize {
                set[byte] = true;
                byte += 1;
            }
            at += 2;
        }
        at = 0;
        while at < singles.len() {
            set[singles[at] as usize] = true;
            at += 1;
        }
        Self(set)
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    /// How many bytes at the beginning of a text are in it, looking at `max` at most.
    pub(super) fn run(&self, text: &[u8], max: usize) -> usize {
        let text = &text[..text.len().min(max)];
        text.iter().position(|byte| !self.has(*byte)).unwrap_or(text.len())
    }

    /// How many bytes at the end of a text are in it, looking at `max` at most.
    pub(super) fn run_back(&self, text: &[u8], max: usize) -> usize {
        let text = &text[text.len().saturating_sub(max)..];
        text.iter().rev().position(|byte| !self.has(*byte)).unwrap_or(text.len())
    }
}

pub(super) const DIGIT: &Class = &Class::new(b"09", b"");
/// Hexadecimal in lower case.
pub(super) const HEX: &Class = &Class::new(b"09af", b"");
/// Hexadecimal in either case.
pub(super) const ANY_HEX: &Class = &Class::new(b"09afAF", b"");
pub(super) const UPPER: &Class = &Class::new(b"AZ09", b"");
pub(super) const LOWER: &Class = &Class::new(b"az09", b"");
pub(super) const ALNUM: &Class = &Class::new(b"AZaz09", b"");
/// What a word is made of in most languages.
pub(super) const WORD: &Class = &Class::new(b"AZaz09", b"_");
/// The digits of base 64 as in URLs.
pub(super) const URL: &Class = &Class::new(b"AZaz09", b"_-");
/// The digits of base 64.
pub(super) const BASE64: &Class = &Class::new(b"AZaz09", b"+/");
/// The digits of base 64, of either kind.
pub(super) const ANY_BASE64: &Class = &Class::new(b"AZaz09", b"+/_-");
/// [`URL`] with dots and padding.
pub(super) const DOTTED: &Class = &Class::new(b"AZaz09", b"_-.=~");
/// What a bare secret is written in.
pub(super) const BARE: &Class = &Class::new(b"AZaz09", b"._~+/=-!@#^*:?%");
/// What a header's credentials are written in.
pub(super) const CREDENTIALS: &Class = &Class::new(b"AZaz09", b"._~+/=-%:");
/// A UUID's bytes.
pub(super) const UUID: &Class = &Class::new(b"09afAF", b"-");
