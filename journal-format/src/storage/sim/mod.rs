//! A simulated disk that loses power, lies, fills up and forgets, the same way for the same seed.
//!
//! It keeps apart what processes see and what the disk holds, by sectors: bytes become durable by
//! `sync_data`, names by `sync_folder`. A failed sync behaves as Linux has it: the pages are marked
//! clean though they are not on disk, each descriptor open at the time is told once, and the next
//! sync succeeds. Locks are `flock`'s. Every operation is numbered; a [`Fault`] names the number
//! it strikes at, [`SimStorage::interpose`] runs something in between, and a [`Snapshot`] can be
//! crashed in every way of [`Tail`] and [`NamesLeft`].
//!
//! ```text
//! SimStorage ─ process 0 ─┐                     ┌ names: seen · durable · changes between
//! SimStorage ─ process 1 ─┴─ Machine ─ Media ───┤
//!                            locks, faults      └ inodes: cached · durable · dirty sectors
//! ```

mod fault;
mod file;
mod inode;
mod locks;
mod machine;
mod media;
mod names;
mod operation;
mod pages;
mod random;
mod snapshot;
mod storage;
mod tail;
#[cfg(test)]
mod tests;

pub use fault::{Fault, FaultKind};
pub use file::SimFile;
pub use operation::OperationKind;
pub use random::Random;
pub use snapshot::Snapshot;
pub use storage::SimStorage;
pub use tail::{Crash, NamesLeft, Tail};
