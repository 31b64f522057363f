//! Looking at contents too large for the journal: each holds what its name says.

use std::io;
use std::path::Path;

use super::identity::Identity;
use super::listing::Listing;
use super::memory::{Blob, Memory};
use super::{CHEAP_BYTES_MAX, Depth, Wound};
use crate::enclosure::{self, OpenHow};

pub(super) fn look(listing: &Listing, memory: &mut Memory, depth: Depth, began_ms: u64) {
    let mut left = match depth {
        Depth::Whole => u64::MAX,
        Depth::Cheap => CHEAP_BYTES_MAX,
    };
    for blob in memory.blobs.values_mut() {
        blob.gone = true;
    }
    for it in &listing.blobs {
        if let Some(blob) = memory.blobs.get_mut(&it.name) {
            blob.gone = false;
            if blob.settled && blob.identity == it.identity {
                continue;
            }
        }
        let Some(rest) = left.checked_sub(it.identity.bytes) else { continue };
        left = rest;
        // What cannot be read does not hold what it should.
        let hash = hash(&listing.blobs_folder.join(&it.name), &it.identity);
        let holds = hash.is_ok_and(|hash| hash.to_hex().as_str() == it.name);
        let (identity, settled) = (it.identity, it.identity.is_settled(began_ms));
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

fn hash(path: &Path, listed: &Identity) -> io::Result<blake3::Hash> {
    let file = enclosure::open(path, OpenHow::Read)?;
    let about = file.metadata()?;
    if !about.is_file() || !Identity::of(&about).is_same_file(listed) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut hasher = blake3::Hasher::new();
    // No further than it was long: it may be growing.
    hasher.update_reader(io::Read::take(file, listed.bytes))?;
    Ok(hasher.finalize())
}
