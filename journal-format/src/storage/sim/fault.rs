//! Faults, planned by the number of the operation that meets them.

use std::io;

use super::OperationKind;

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// Power is lost before the operation: it and every later one fail.
    PowerLoss,
    /// The calling process dies before the operation; others go on.
    Kill,
    /// The device fails (`EIO`); a write may leave any part of itself.
    Eio,
    /// No space (`ENOSPC`); a write may leave its beginning.
    Enospc,
    /// The file may not grow so far (`EFBIG`).
    Efbig,
    /// A signal came first (`EINTR`). Sticky means: before every call, which then works.
    Eintr,
    /// A write takes only its first part.
    ShortWrite,
    /// Write-back fails in a sync: its pages are marked clean and not all on disk.
    FailedSync,
}

impl FaultKind {
    pub const ALL: [Self; 8] = [
        Self::PowerLoss,
        Self::Kill,
        Self::Eio,
        Self::Enospc,
        Self::Efbig,
        Self::Eintr,
        Self::ShortWrite,
        Self::FailedSync,
    ];

    /// Whether an operation can meet it.
    pub fn meets(self, operation: OperationKind) -> bool {
        use OperationKind as Op;
        match self {
            Self::PowerLoss | Self::Kill => true,
            Self::Eio => !matches!(operation, Op::Unlock | Op::Sync),
            Self::Enospc => matches!(
                operation,
                Op::Write | Op::Create | Op::Rename | Op::CreateFolder | Op::SyncFolder
            ),
            Self::Efbig | Self::ShortWrite => operation == Op::Write,
            Self::Eintr => matches!(operation, Op::Read | Op::Write | Op::Lock | Op::Open),
            Self::FailedSync => operation == Op::Sync,
        }
    }

    pub(super) fn error(self) -> io::Error {
        let number = match self {
            Self::PowerLoss | Self::Kill => return gone(),
            Self::Eio | Self::FailedSync => 5,
            Self::Enospc => 28,
            Self::Efbig => 27,
            Self::Eintr | Self::ShortWrite => 4,
        };
        io::Error::from_raw_os_error(number)
    }
}

/// What a call of a dead process would see, if it could.
pub(super) fn gone() -> io::Error {
    io::Error::other("simulated: this process is dead or its machine is off")
}

/// A fault and when it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The operation that meets it, counted from 0 over all processes of the machine.
    pub at: u64,
    pub kind: FaultKind,
    /// Whether it stays: every later operation that can meet it does.
    pub sticky: bool,
}

impl Fault {
    pub fn once(at: u64, kind: FaultKind) -> Self {
        Self { at, kind, sticky: false }
    }

    pub fn sticky(at: u64, kind: FaultKind) -> Self {
        Self { at, kind, sticky: true }
    }
}
