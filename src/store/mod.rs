//! Stores: SQLite files that are derived from the journal. Rows in, rows out.
//!
//! Nothing here knows an event. A store knows its schema, the cursor that commits with its rows
//! (R11), the lock its connections hold while another process may want to swap it (R12), and the
//! digest of its logical content.

mod any_reader;
mod ask;
pub mod code_graph;
mod concern;
mod connection;
mod cursor;
mod digest;
mod dir;
mod error;
pub mod execution_log;
pub mod folder;
#[cfg(test)]
#[path = "fuse/lit.rs"]
mod fuse;
#[cfg(not(test))]
#[path = "fuse/unlit.rs"]
mod fuse;
mod held;
mod identity;
pub mod index;
mod lock;
pub mod memory;
mod name;
mod places;
mod quarantine;
pub mod remains;
pub mod repo_folder;
pub mod sql;
pub mod stamp;
mod stand;
mod statements;
mod still;
mod swap;
#[cfg(test)]
#[path = "turn/lit.rs"]
pub(crate) mod turn;
#[cfg(not(test))]
#[path = "turn/unlit.rs"]
pub(crate) mod turn;

pub use any_reader::AnyReader;
pub use ask::Ask;
pub use code_graph::CodeGraph;
pub use concern::Concern;
pub use cursor::{Cursor, Position, Rows};
pub use digest::Digest;
pub use error::StoreError;
pub use execution_log::ExecutionLog;
pub use folder::Folder;
pub use identity::Identity;
pub use index::Index;
pub use memory::{Memory, MemoryReader, MemoryView};
pub use name::StoreName;
pub use places::StorePlaces;
pub use quarantine::{Bound, Keep, Quarantined, has_nothing};
pub use stamp::{Known, StoreLook};
pub use stand::Beside;
pub use still::StillStore;
pub use swap::Swap;

#[cfg(test)]
mod tests;
