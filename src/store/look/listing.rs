//! Which files a journal is, as they stand before they are read.

use std::path::Path;
use std::{fs, io};

use super::memory::{Blob, Memory};
use super::{Depth, Wound};
use crate::event::Ordered;
use crate::journal::archive::{NOTE_SUFFIX, noted};
use crate::journal::{Blobs, enclosure};
use crate::store::Identity;
use crate::store::dir::if_there;

/// Blobs that are listed; a folder that holds more is no journal's of ours.
const BLOBS_MAX: usize = 1 << 20;
/// A blob's name: the hex digits of its blake3.
const NAME_LEN: usize = 64;

#[derive(Debug)]
pub(super) struct Listing {
    /// Segments in order, or the one file that it is.
    pub segments: Vec<Listed>,
    pub blobs: Vec<Listed>,
    /// Where they lie.
    pub beside: Blobs,
    /// It is one segment: what lies beside it may be other segments'.
    pub is_segment: bool,
}

#[derive(Debug)]
pub(super) struct Listed {
    pub name: String,
    /// Of an archived segment, its note's.
    pub identity: Identity,
    /// It is a segment that lies elsewhere: a whole look reads it, a cheap one does not.
    pub is_archived: bool,
}

impl Listed {
    fn here(name: String, identity: Identity) -> Self {
        Self { name, identity, is_archived: false }
    }
}

impl Listing {
    pub fn of(journal: &Path) -> io::Result<Self> {
        let about = fs::metadata(journal)?;
        // A bundle that cannot be opened is told by who reads it.
        let beside = Blobs::of(journal).unwrap_or_else(|_| Blobs::beside(journal));
        let is_bundle = beside.bundled().next().is_some();
        let blobs = match enclosure::is_folder(beside.folder()) {
            _ if is_bundle => bundled(&beside, Identity::of(&about)),
            true => files(beside.folder(), is_blob)?,
            // What lies in the way is told as that, and those that are named are missing.
            false => Vec::new(),
        };
        if about.is_file() {
            let name = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let segments = vec![Listed::here(name, Identity::of(&about))];
            return Ok(Self { segments, blobs, beside, is_segment: !is_bundle });
        }
        let mut segments = files(journal, |name| name.ends_with(".seg"))?;
        for note in files(journal, |name| noted(name).is_some())? {
            let name = note.name.trim_end_matches(NOTE_SUFFIX);
            if segments.iter().all(|it| it.name != name) {
                segments.push(Listed { name: name.to_owned(), is_archived: true, ..note });
            }
        }
        segments.order_by(|one, other| one.name.cmp(&other.name));
        Ok(Self { segments, blobs, beside, is_segment: false })
    }
}

pub(super) fn number(name: &str) -> Option<u64> {
    name.strip_suffix(".seg")?.split_once('-')?.0.parse().ok()
}

/// The blobs of a bundle: each is what it was for as long as the file is.
fn bundled(blobs: &Blobs, file: Identity) -> Vec<Listed> {
    let listed = |(hash, bytes): (&[u8; 32], u64)| {
        Listed::here(blake3::Hash::from_bytes(*hash).to_hex().to_string(), file.part(bytes))
    };
    blobs.bundled().map(listed).collect()
}

fn is_blob(name: &str) -> bool {
    name.len() == NAME_LEN && name.bytes().all(|it| it.is_ascii_hexdigit())
}

fn files(folder: &Path, is_wanted: fn(&str) -> bool) -> io::Result<Vec<Listed>> {
    let mut list = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_wanted(&name) {
            continue;
        }
        if list.len() >= BLOBS_MAX {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if let Some(about) = if_there(entry.metadata())? {
            list.push(Listed::here(name, Identity::of(&about)));
        }
    }
    list.order_by(|one, other| one.name.cmp(&other.name));
    Ok(list)
}

pub(super) fn look_at_blobs(listing: &Listing, memory: &mut Memory, depth: Depth, began_ms: u64) {
    let mut left = depth.bytes_max().unwrap_or(u64::MAX);
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
        // One that is too large to be read in passing holds as far as anybody knows.
        Blob { holds: false, identity: Some(_), .. } => Some(Wound::blob(name, "blob damaged")),
        _ => None,
    };
    let wounds = memory.blobs.iter().filter_map(told).collect();
    memory.take_blobs(wounds);
}
