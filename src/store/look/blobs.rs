//! Looking at contents too large for the journal: each holds what its name says.

use super::listing::Listing;
use super::memory::{Blob, Memory};
use super::{CHEAP_BYTES_MAX, Depth, Wound};

pub(super) fn look(listing: &Listing, memory: &mut Memory, depth: Depth, began_ms: u64) {
    let mut left = match depth {
        Depth::Whole => u64::MAX,
        Depth::Cheap => CHEAP_BYTES_MAX,
    };
    for blob in memory.blobs.values_mut() {
        blob.gone = true;
    }
    for it in &listing.blobs {
        match memory.blobs.get_mut(&it.name) {
            Some(blob) => {
                blob.gone = false;
                if blob.settled && blob.identity == Some(it.identity) {
                    continue;
                }
            }
            // Of another segment.
            None if listing.is_segment => continue,
            None => {}
        }
        let Some(rest) = left.checked_sub(it.identity.bytes) else { continue };
        left = rest;
        // What cannot be read does not hold what it should.
        let holds = blake3::Hash::from_hex(&it.name)
            .is_ok_and(|name| listing.beside.hash(name.as_bytes()).is_ok_and(|hash| hash == name));
        let (identity, settled) = (Some(it.identity), it.identity.is_settled(began_ms));
        memory.blobs.insert(it.name.clone(), Blob { identity, settled, holds, gone: false });
    }
    let told = |(name, blob): (&String, &Blob)| match blob {
        Blob { gone: true, .. } => Some(Wound::blob(name, "blob missing")),
        Blob { holds: false, .. } => Some(Wound::blob(name, "blob damaged")),
        _ => None,
    };
    let wounds = memory.blobs.iter().filter_map(told).collect();
    memory.take_blobs(wounds);
}
