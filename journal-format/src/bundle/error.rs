//! Why a file is no bundle that can be read, or none could be written.

use std::io;
use std::path::PathBuf;

use crate::limits::{BUNDLE_BLOBS_MAX, SEGMENTS_MAX};
use crate::reader::ReadError;

/// Why a bundle could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    #[error("{} could not be {did}", path.display())]
    Io { path: PathBuf, did: &'static str, source: io::Error },
    #[error("{} is no bundle to be believed: {fault}, at byte {at}", path.display())]
    Fault { path: PathBuf, at: u64, fault: Fault },
    #[error("{} exists: name a new file, or --force", path.display())]
    Exists { path: PathBuf },
    #[error("{} is no regular file: only such a one is replaced", path.display())]
    NotRegular { path: PathBuf },
    #[error("{} lies in the journal's own folder", path.display())]
    Inside { path: PathBuf },
    #[error(
        "what stands in segment {segment} at byte {at} is damaged: whether it holds what is to be left out, nobody can say"
    )]
    Unsure { segment: u64, at: u64 },
    #[error(transparent)]
    Source(#[from] ReadError),
}

/// What a bundle must not be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("it is cut off")]
    Truncated,
    #[error("an entry's header is not what its checksum says")]
    Checksum,
    #[error("an entry's header is not of the ustar format")]
    NotUstar,
    #[error("an entry is a link, a folder or a device and no file")]
    NotAFile,
    #[error("an entry has a name that no bundle has: {name:?}")]
    Name { name: String },
    #[error("an entry is there twice: {name:?}")]
    Twice { name: String },
    #[error("its first entry does not say what it holds")]
    Manifest,
    #[error("it has more than {SEGMENTS_MAX} segments or {BUNDLE_BLOBS_MAX} blobs")]
    TooMany,
    #[error("something follows its end")]
    Trailing,
}
