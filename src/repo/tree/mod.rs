//! The map of a repository's tree: what lies where, in which languages, and what files define.
//!
//! A tree is walked as git sees it but for hidden files, by descriptor and through no link. What a file defined when it was
//! last read is remembered, so that a walk reads only what changed; what is remembered is believed only
//! where the file stands as it did.

mod build;
mod cache;
mod error;
mod fact;
mod language;
mod limits;
mod outline;
mod read;
mod stamp;
mod symbols;
mod walk;

#[cfg(test)]
mod tests;

use std::path::Path;

use crate::redact::Redactor;
use crate::repo::map::RepoMap;

pub use error::TreeMapError;
pub use limits::INDEX_BYTES_MAX;
use outline::Outline;
pub use symbols::symbols;

use cache::Known;
use walk::Walk;

/// Part of the cache's key: another way to read files believes nothing of this one.
const OUTLINES: &[u8] = b"annals outlines 1";

/// A tree to be mapped.
#[derive(Clone, Copy)]
pub struct Tree<'a> {
    pub top: &'a Path,
    /// What is remembered between two scans; `None`: nothing.
    pub cache: Option<&'a Path>,
    /// What else decides how files are read, the rules of redaction among it: what was remembered
    /// under another one is forgotten.
    pub of: &'a [u8],
    pub redactor: &'a Redactor,
    /// Now, Unix milliseconds.
    pub scan_ms: u64,
}

/// A tree's map, and what it took.
#[derive(Debug)]
pub struct Scanned {
    pub map: RepoMap,
    /// Files that were read: all the others stood as they did the last time.
    pub read: u64,
    /// Why what was found could not be remembered; the next scan takes as long.
    pub forgotten: Option<std::io::Error>,
}

/// Maps a tree.
///
/// # Errors
/// Where it cannot be read, or is endless.
pub fn scan(tree: &Tree<'_>) -> Result<Scanned, TreeMapError> {
    let mut of = blake3::Hasher::new_derive_key("annals tree map 1");
    of.update(OUTLINES).update(tree.of);
    let of = *of.finalize().as_bytes();
    let known = tree.cache.map(|path| Known::load(path, &of)).unwrap_or_default();
    let walk =
        Walk { top: tree.top, known: &known, redactor: tree.redactor, scan_ms: tree.scan_ms };
    let (facts, read) = walk.run()?;
    let forgotten = match tree.cache {
        Some(path) if !known.is_same(&facts, read.fresh) => cache::keep(path, &of, &facts).err(),
        _ => None,
    };
    Ok(Scanned { map: build::build(&facts, tree.redactor), read: read.files, forgotten })
}
