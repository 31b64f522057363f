//! The program's exit codes.

use std::process::ExitCode;

/// How the program ended, as the number its caller sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It did what was asked and found nothing wrong.
    Fine,
    /// It found something: a torn tail, a store that lags or differs, a refused line.
    Findings,
    /// Wrong usage, or input that was refused.
    Usage,
    /// The journal is damaged.
    Damaged,
    /// Somebody else holds a lock.
    Locked,
    /// Reading or writing failed.
    Io,
    /// `run`: the child's own code, or 128 and the number of the signal that ended it.
    Child(u8),
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Damaged => 3,
            Self::Locked => 4,
            Self::Io => 5,
            Self::Child(code) => code,
        }
    }

    /// The worse of two: damage before locks before I/O before findings.
    pub fn worse(self, other: Self) -> Self {
        if other.rank() > self.rank() { other } else { self }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Io => 3,
            Self::Locked => 4,
            Self::Damaged => 5,
            Self::Child(_) => 6,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
