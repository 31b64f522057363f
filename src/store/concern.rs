//! Which events a store is made of.

/// Which events a store is made of. One that only some concern is made with the first of them, and
/// needs nothing else of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    /// Any may matter.
    Everything,
    /// Branch memory's.
    Memory,
    /// Branch memory's and those of phases.
    MemoryAndPhases,
}
