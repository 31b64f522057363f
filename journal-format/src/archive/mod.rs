//! Segments that were moved elsewhere: compressed, with a manifest each, in a folder of any kind.
//!
//! What stays in the journal's folder is a note, which has the manifest and says where the segment lies; with it a
//! journal reads as if the segment were there. `FORMAT.md`, appendix C, is normative.

mod fault;
mod file;
mod manifest;
mod note;
mod reach;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use fault::{ArchiveError, ArchiveFault};
pub use file::ArchivedFile;
pub use manifest::{Block, Manifest};
pub use note::{NOTE_SUFFIX, Note, data_name, manifest_name, noted};
pub use reach::{Reach, SCHEME, address, reach_by};
pub use read::{MANIFEST_BYTES_MAX, read_manifest, unpack};
pub use write::{ToArchive, Written, pack};
