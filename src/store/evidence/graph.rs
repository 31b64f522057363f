//! What a graph in a copy should hold, by the journal and by what it says of the code.

use super::found::Looking;
use super::{EvidenceError, evidence_stores};
use crate::event::Sequence;
use crate::journal::{Mark, Reading};
use crate::store::rebuild::Build;
use crate::store::{Cursor, Digest, Feed, StillStore};
use crate::stores::{StoreName, StorePlaces};

const STORE: StoreName = StoreName::CodeGraph;

/// The digest that our rows in the graph should have, as far as it has read. One in a copy is copied
/// into the cache first: opening it where it lies would change it.
pub(super) fn graph_digest(
    looking: &Looking<'_>,
    cursor: Option<Cursor>,
) -> Result<Digest, EvidenceError> {
    let Looking { places, feed, reading, built, cache } = *looking;
    let aside = cache.private()?;
    let mut beside = StorePlaces::of(aside.root());
    beside.root.clone_from(&places.root);
    match reading {
        Reading::Live => beside.code_graph.clone_from(&places.code_graph),
        Reading::Evidence => StillStore::copy(&places.code_graph, &beside.code_graph)?,
    }
    let through = match cursor {
        Some(Cursor { position, .. }) => {
            Mark { sequence: Sequence(position.sequence), chain: position.chain }
        }
        None => feed.through(),
    };
    // Others may have fed the graph since the stores were built.
    let later = match through.sequence > built.through.sequence {
        true => Some(evidence_stores(feed.dir(), reading, None, cache)?),
        false => None,
    };
    beside.index.clone_from(&later.as_ref().unwrap_or(built).places.index);
    let failed = |source| EvidenceError::Build { store: STORE, source };
    let made = Build { store: STORE, places: &beside, feed }.run(through).map_err(failed)?;
    Ok(made.digest()?)
}
