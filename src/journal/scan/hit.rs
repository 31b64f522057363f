//! A secret's place in a stream of bytes.

/// A secret's place in a stream of bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The rule that says so.
    pub rule: String,
    /// Its first byte, from 0.
    pub offset: u64,
    /// How long it is, in bytes.
    pub bytes: u64,
    /// Its line, from 1.
    pub line: u64,
    /// Its first byte in the line, from 1.
    pub column: u64,
}
