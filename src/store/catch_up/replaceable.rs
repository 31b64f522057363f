//! Which stores may be built over unasked.

use super::{CatchUpError, RebuildReason};
use crate::store::rebuild::is_crowded;
use crate::store::{Keep, Known, StoreLook};
use crate::stores::{StoreName, StorePlaces};

/// The reason, where a store may be built over for it unasked: not where it says what the journal does not,
/// nor where what must be kept of it goes beyond what the quarantine is to hold.
pub(super) fn replaceable(
    store: StoreName,
    reason: RebuildReason,
    places: &StorePlaces,
) -> Result<RebuildReason, CatchUpError> {
    let path = places.path(store);
    if reason.is_evidence() {
        return Err(CatchUpError::Contradicts { store, reason });
    }
    if reason == RebuildReason::SchemaDiffers && reason.keep_of(path) == Keep::Evidence {
        // Whoever reads it is told by its stamp.
        StoreLook::begin(path).map(|look| look.end(Known::Differs));
        return Err(CatchUpError::Contradicts { store, reason: RebuildReason::ContentDiffers });
    }
    match reason.keep() == Keep::Evidence && is_crowded(places) {
        true => Err(CatchUpError::Contradicts { store, reason }),
        false => Ok(reason),
    }
}
