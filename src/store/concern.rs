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
    /// Those that leave a file below `experiments/`: of phases, and what was read or asked of memory for
    /// a prompt that has its place there.
    Experiments,
    /// Debug memory's.
    Debug,
}
