//! How far a store has read, asked without changing a byte of it or beside it.

use std::path::Path;

use super::lock::StoreLock;
use super::{AnyReader, Cursor, StillStore, StoreError, stamp};
use crate::stores::StoreName;

/// Of a larger store no copy is made.
const COPY_BYTES_MAX: u64 = 64 << 20;

/// Where a store is looked at that something lies beside: what is in its `-wal` it has read as well.
#[derive(Clone, Copy, Debug)]
pub enum Beside<'a> {
    /// It is left out: the store has read as far at least as its file says.
    LeftOut,
    /// It is read where somebody has the store open.
    InUse,
    /// A copy is made in this folder of the caller's own, of one that is not too large for that.
    Copied(&'a Path),
}

impl StillStore {
    /// A store's cursor; `None` where it does not say how far it has read, or its rows are not those that
    /// the cursor vouches for.
    pub fn stand(
        store: StoreName,
        path: &Path,
        what: Beside<'_>,
    ) -> Result<Option<Cursor>, StoreError> {
        let (cursor, rows) = Self::open_to_stand(store, path, what)?.stand()?;
        Ok(cursor.filter(|cursor| cursor.rows == rows))
    }

    fn open_to_stand(
        store: StoreName,
        path: &Path,
        what: Beside<'_>,
    ) -> Result<Box<dyn AnyReader>, StoreError> {
        match what {
            _ if store.is_folder() || Self::is_alone(path) => {}
            Beside::LeftOut => {}
            Beside::InUse if StoreLock::exclusive_now(path)?.is_none() => return store.open(path),
            Beside::InUse => {}
            Beside::Copied(aside) if stamp::bytes(path) <= COPY_BYTES_MAX => {
                return Self::open_aside(store, path, aside);
            }
            Beside::Copied(_) => {}
        }
        store.open_still(path)
    }
}
