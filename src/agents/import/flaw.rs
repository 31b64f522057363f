//! What can be wrong with a line of a transcript.

use std::fmt;

use super::limits::LINE_BYTES_MAX;

/// What can be wrong with a line, or with the part of it that could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It ends in the middle of a record: a write that was cut off.
    Torn,
    /// These many bytes of it are NUL: a crash of the file system.
    NulFilled { bytes: u64 },
    /// It is not JSON from this byte of the line on, counted from 1.
    NotJson { at: u64 },
    /// JSON, but not an object.
    NotARecord,
    /// Longer than [`LINE_BYTES_MAX`]: skipped without being held.
    TooLong { bytes: u64 },
    /// The compressed data break off, are damaged, or hold more than is read of them.
    Packed,
    /// More records or fragments glued together than are looked for.
    TooManyPieces,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn => write!(f, "torn: it ends in the middle of a record"),
            Self::NulFilled { bytes } => write!(f, "{bytes} NUL bytes"),
            Self::NotJson { at } => write!(f, "not JSON from byte {at} of the line on"),
            Self::NotARecord => write!(f, "JSON, but not a record"),
            Self::TooLong { bytes } => {
                write!(f, "{bytes} bytes; lines above {LINE_BYTES_MAX} bytes are skipped")
            }
            Self::Packed => write!(
                f,
                "the compressed file breaks off or is damaged here: the text before it is read"
            ),
            Self::TooManyPieces => write!(f, "more records glued together than are looked for"),
        }
    }
}
