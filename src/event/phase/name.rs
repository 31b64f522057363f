//! The four phases of a node.

use bincode::{Decode, Encode};

/// A phase of a node. Append-only: the position of a variant is its byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub enum PhaseName {
    Download,
    Coding,
    Compile,
    Run,
}

impl PhaseName {
    /// In the order they run.
    pub const ALL: [Self; 4] = [Self::Download, Self::Coding, Self::Compile, Self::Run];

    /// The word in `phase_artifacts` and in the names of logs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Download => "download",
            Self::Coding => "coding",
            Self::Compile => "compile",
            Self::Run => "run",
        }
    }
}
