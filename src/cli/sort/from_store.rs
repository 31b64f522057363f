//! Why nothing could be salvaged from a store.

use super::{CLOSE, Sorted, evidence, io, store};
use crate::cli::Exit;
use crate::store::remains::RemainsError;
use crate::store::salvage::StoreSalvageError;

pub fn from_store(error: &StoreSalvageError) -> Sorted {
    match error {
        StoreSalvageError::Evidence(error) => evidence(error),
        StoreSalvageError::Look { source, .. } => io(source),
        StoreSalvageError::Remains(error) => match error {
            // What was refused is no store that a repair could mend.
            RemainsError::Store(error) if error.wants_rebuild() => (Exit::Usage, None),
            RemainsError::Store(error) => store(error),
            RemainsError::Restless { .. } => (Exit::Locked, Some(CLOSE)),
            RemainsError::Taken(error) => io(error),
            RemainsError::NoStore { .. } | RemainsError::TooLarge { .. } => (Exit::Usage, None),
        },
        StoreSalvageError::Nothing { .. } => {
            (Exit::Usage, Some("name a store's file or folder, or its project"))
        }
    }
}
