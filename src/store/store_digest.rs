//! The digest of a store as it stands. Changes nothing.

use crate::store::{Digest, StoreError};
use crate::stores::{StoreName, StorePlaces};

/// blake3 of a store's logical content.
pub fn store_digest(places: &StorePlaces, store: StoreName) -> Result<Digest, StoreError> {
    let (_, digest) = store.open(places.path(store))?.digest()?;
    Ok(digest)
}
