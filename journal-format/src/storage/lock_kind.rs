//! Kinds of advisory lock.

/// Kinds of advisory lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockKind {
    Shared,
    Exclusive,
}
