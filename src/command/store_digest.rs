//! The digest of a store as it stands. Changes nothing.

use crate::store::code_graph::CodeGraphReader;
use crate::store::execution_log::ExecutionLogReader;
use crate::store::index::IndexReader;
use crate::store::{Digest, StoreError, StoreName, StorePlaces};

/// blake3 of a store's logical content.
///
/// # Errors
/// Where the store cannot be read.
pub fn store_digest(places: &StorePlaces, store: StoreName) -> Result<Digest, StoreError> {
    let (_, digest) = match store {
        StoreName::Index => IndexReader::open(&places.index)?.digest()?,
        StoreName::ExecutionLog => ExecutionLogReader::open(&places.execution_log)?.digest()?,
        StoreName::CodeGraph => CodeGraphReader::open(&places.code_graph)?.digest()?,
    };
    Ok(digest)
}
