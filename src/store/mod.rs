//! The kit of every projection: SQLite files and folders that are derived from the journal, caught up with
//! it, rebuilt, held against fresh ones.
//!
//! A store knows its schema, the cursor that commits with its rows
//! (R11), the lock its connections hold while another process may want to swap it (R12), and the
//! digest of its logical content.

pub mod anomaly;
pub(crate) mod any_reader;
pub(crate) mod ask;
pub mod catch_up;
pub(crate) mod concern;
pub(crate) mod connection;
pub(crate) mod cursor;
pub(crate) mod digest;
pub(crate) mod dir;
pub mod doubt;
pub(crate) mod error;
pub mod evidence;
pub mod feed;
pub mod files;
pub mod folder;
pub mod free_sql;
#[cfg(test)]
#[path = "fuse/lit.rs"]
pub(crate) mod fuse;
#[cfg(not(test))]
#[path = "fuse/unlit.rs"]
pub(crate) mod fuse;
pub(crate) mod held;
pub(crate) mod identity;
pub mod journal_health;
pub(crate) mod lock;
pub mod look;
pub mod projector;
pub(crate) mod quarantine;
pub mod rebuild;
pub mod remains;
pub mod salvage;
pub mod seen;
pub(crate) mod snapshot;
pub mod sql;
pub mod stamp;
pub(crate) mod stand;
pub(crate) mod statements;
pub mod store_digest;
pub mod store_status;
pub(crate) mod swap;
#[cfg(test)]
#[path = "turn/lit.rs"]
pub(crate) mod turn;
#[cfg(not(test))]
#[path = "turn/unlit.rs"]
pub(crate) mod turn;
pub mod verify;

pub use anomaly::{Anomaly, AnomalyKind};
pub use any_reader::AnyReader;
pub use ask::Ask;
pub use concern::Concern;
pub use cursor::{Cursor, Position, Rows};
pub use digest::Digest;
pub use error::StoreError;
pub use feed::{Feed, FeedError, JournalFeed};
pub use folder::Folder;
pub use identity::Identity;
pub use journal_health::{JournalHealth, journal_health};
pub use projector::Projector;
pub use quarantine::{Bound, Keep, Quarantined, has_nothing};
pub use snapshot::StillStore;
pub use stamp::{Known, StoreLook};
pub use stand::Beside;
pub use store_digest::store_digest;
pub use store_status::{StoreStatus, store_status};
pub use swap::Swap;

#[cfg(test)]
mod tests;
