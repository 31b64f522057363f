//! The kit of every projection: SQLite files and folders that are derived from the journal, caught up with
//! it, rebuilt, held against fresh ones.
//!
//! A store knows its schema, the cursor that commits with its rows
//! (R11), the lock its connections hold while another process may want to swap it (R12), and the
//! digest of its logical content.

pub(crate) mod bounded_set;
pub mod catch_up;
pub(crate) mod columns;
pub(crate) mod connection;
pub(crate) mod cursor;
pub(crate) mod digest;
pub(crate) mod dir;
pub mod doubt;
pub(crate) mod error;
pub mod evidence;
pub mod feed;
pub mod folder;
pub mod foreign;
pub(crate) mod foresight;
#[cfg(test)]
#[path = "tests/fuse.rs"]
pub(crate) mod fuse;
#[cfg(not(test))]
pub(crate) mod fuse;
pub(crate) mod held;
pub mod list;
pub(crate) mod lock;
pub mod look;
pub(crate) mod lookup;
pub(crate) mod made_by;
pub(crate) mod places;
pub mod projector;
pub(crate) mod quarantine;
pub mod rebuild;
pub mod remains;
pub mod salvage;
pub mod shared;
pub(crate) mod snapshot;
pub mod sql;
pub mod stamp;
pub(crate) mod status;
pub(crate) mod swap;
#[cfg(test)]
#[path = "tests/turn.rs"]
pub(crate) mod turn;
#[cfg(not(test))]
pub(crate) mod turn;
pub mod verify;

pub use cursor::{Cursor, Position, Rows};
pub use digest::Digest;
pub use dir::Identity;
pub use error::{Result, StoreError};
pub use feed::{Feed, FeedError, JournalFeed};
pub use foresight::{Foreseen, Foresight};
pub use list::{Database, Store, StoreList, StoreName};
pub use lookup::{Concern, KnownStarts, Lookup, Operations};
pub use places::StorePlaces;
pub use projector::{Anomaly, AnomalyKind, Projector};
pub use quarantine::{Bound, Keep, Quarantined, has_nothing};
pub use snapshot::{AnyReader, Beside, StillStore};
pub use sql::Ask;
pub use stamp::{Known, StoreLook};
pub use status::{StoreStatus, journal_health, store_digest, store_status};
pub use swap::Swap;

#[cfg(test)]
mod tests;
