//! A frame's flags.

/// A frame's flags, one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// The first frame of its commit.
    pub const FIRST: Self = Self(1);
    /// The last frame of its commit: a trailer follows the body.
    pub const LAST: Self = Self(1 << 1);
    /// The payload is a raw length u32 and a zstd frame.
    pub const COMPRESSED: Self = Self(1 << 2);
    /// The payload is XORed with the salt, repeated: it held a long run of zeros.
    pub const MASKED: Self = Self(1 << 3);
    /// Salt and payload were destroyed; the inner hash stands in their place.
    pub const REDACTED: Self = Self(1 << 4);
    /// A reader that does not know the kind may pass over it.
    pub const SKIPPABLE: Self = Self(1 << 5);

    const KNOWN: u8 = (1 << 6) - 1;

    pub const fn has(self, flag: Self) -> bool {
        self.0 & flag.0 == flag.0
    }

    #[must_use]
    pub const fn with(self, flag: Self) -> Self {
        Self(self.0 | flag.0)
    }

    #[must_use]
    pub const fn without(self, flag: Self) -> Self {
        Self(self.0 & !flag.0)
    }

    /// Whether every set bit is one this build knows.
    pub const fn is_known(self) -> bool {
        self.0 & !Self::KNOWN == 0
    }
}
