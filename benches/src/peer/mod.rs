//! What one would use instead.

mod dual_sqlite;
#[cfg(feature = "peers")]
mod fjall;
#[cfg(feature = "peers")]
mod okaywal;
#[cfg(feature = "peers")]
mod redb;

pub use dual_sqlite::DualSqlite;
#[cfg(feature = "peers")]
pub use {fjall::Fjall, okaywal::Okaywal, redb::Redb};
