//! What a reader learned of the journal's lock.

/// What a reader learned of the journal's lock when it had to ask: a bad frame at the tail is
/// read again while no writer is at work before anything is said of it (R7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LockState {
    /// Nothing at the tail needed it.
    #[default]
    NotAsked,
    /// The tail was read again under a shared lock.
    Confirmed,
    /// There is no `LOCK`: a copy, or one segment alone. Nothing can be at work there.
    Absent,
    /// `LOCK` could not be opened or locked: what was said of the tail is as it was first seen.
    Refused,
    /// A writer held the lock for longer than a reader waits: the tail was left unsaid.
    Busy,
}
