//! The value of the chain at a commit's end.

use std::fmt;

/// The value of the chain at a commit's end; printed as 64 hex digits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Chain(pub [u8; 32]);

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Chain({self})")
    }
}
