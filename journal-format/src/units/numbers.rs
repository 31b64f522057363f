//! Sequence, segment number and byte offset.

use std::fmt;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

number! {
    /// An event's number in its journal: 1 for the first, never reused, 0 for "before the first".
    Sequence
}
number! {
    /// A segment's number: 0 for the first.
    SegmentNumber
}
number! {
    /// A byte offset in a segment's file, from its first byte.
    Offset
}

impl Sequence {
    /// The number after this one.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}
