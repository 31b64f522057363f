//! Calls that nobody will finish.

use std::path::Path;

use crate::execution::query::{Identity, QueryError};
use crate::journal::is_left;
use crate::stores::StorePlaces;

/// How many calls a repair would close: of processes and agents that are gone, and of sessions that
/// ended.
pub fn left_open(owners: &Path, places: &StorePlaces) -> Result<u64, QueryError> {
    let identity = Identity::open(&places.index)?;
    let mut count = 0;
    for known in identity.open_executions(None)? {
        let ended = |session| -> Result<bool, QueryError> {
            Ok(identity.session(session)?.is_some_and(|session| session.ended))
        };
        count += u64::from(is_left(owners, known.id, known.source, known.session, ended)?);
    }
    Ok(count)
}
