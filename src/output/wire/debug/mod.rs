//! Debug memory (spec 002). What the contract's schema names has its names.

mod asked;
mod done;

pub use asked::{DebugResolution, DebugSession, DebugShown, DebugSimilar, DebugTemplate};
pub use done::{
    DebugAttempt, DebugClosed, DebugDone, DebugExpired, DebugFault, DebugHook, DebugImported,
    DebugImportedSession, DebugInferred, DebugProposed, DebugValidated, DebugVerified,
};
