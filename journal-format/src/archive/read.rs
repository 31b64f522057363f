//! Reading manifests, and bringing a segment back.

use std::fs::{File, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{ArchiveError, ArchiveFault, ArchivedFile, Manifest, data_name, manifest_name, reach};
use crate::segment::SegmentName;
use crate::storage::{OpenHow, enclosure};

/// A manifest is never longer.
pub const MANIFEST_BYTES_MAX: u64 = 8 << 20;

/// The manifest of a segment in an archive's folder; `None` where there is none.
///
/// # Errors
/// Where it cannot be read, or is no manifest of this segment.
pub fn read_manifest(folder: &Path, name: &SegmentName) -> Result<Option<Manifest>, ArchiveError> {
    let path = folder.join(manifest_name(name));
    let file = match reach::open(&path, MANIFEST_BYTES_MAX) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ArchiveFault::unread(&path, "opened", &error).into()),
    };
    let wrong = || ArchiveFault::wrong(&path, "is no manifest of this segment");
    let text = text_of(file, MANIFEST_BYTES_MAX).ok_or_else(wrong)?;
    let manifest = Manifest::parse(&text).filter(|it| it.name == *name).ok_or_else(wrong)?;
    Ok(Some(manifest))
}

/// A file's text, where it is no longer than that.
pub(super) fn text_of(file: File, bytes_max: u64) -> Option<String> {
    let mut text = String::new();
    // What cannot be read, or is no text, is no manifest.
    let read = file.take(bytes_max + 1).read_to_string(&mut text).ok()?;
    (read as u64 <= bytes_max).then_some(text)
}

/// Writes a segment as it was to a place where nothing is, flushed and read-only. Nothing is left there where the
/// archive does not give all of it.
///
/// # Errors
/// As [`ArchivedFile::open`].
pub fn unpack(folder: &Path, manifest: &Manifest, to: &Path) -> Result<(), ArchiveError> {
    let path = folder.join(data_name(&manifest.name));
    let from =
        ArchivedFile::open(&path, manifest.clone()).map_err(ArchiveError::io(&path, "opened"))?;
    let file = enclosure::open(to, OpenHow::CreateNew).map_err(ArchiveError::io(to, "made"))?;
    let copied = copy(&from, &path, &file, to);
    if copied.is_err() {
        // The error that stopped it is the one to tell.
        drop(enclosure::remove(to));
    }
    copied
}

fn copy(from: &ArchivedFile, path: &Path, mut file: &File, to: &Path) -> Result<(), ArchiveError> {
    let manifest = from.manifest();
    let mut hashes = Hashes::default();
    for number in 0..manifest.blocks.len() {
        let block = from.block(number).map_err(ArchiveError::io(path, "read"))?;
        hashes.take(&block);
        file.write_all(&block).map_err(ArchiveError::io(to, "written"))?;
    }
    if hashes.end() != (manifest.blake3, manifest.sha256) {
        return Err(ArchiveFault::wrong(path, "is not the segment that was archived").into());
    }
    let read_only = Permissions::from_mode(0o444);
    let kept = file.set_permissions(read_only).and_then(|()| file.sync_all());
    kept.map_err(ArchiveError::io(to, "flushed"))
}

/// Both hashes of a segment, as its bytes come.
#[derive(Default)]
pub(super) struct Hashes(blake3::Hasher, Sha256);

impl Hashes {
    pub fn take(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
        self.1.update(bytes);
    }

    pub fn end(self) -> ([u8; 32], [u8; 32]) {
        (*self.0.finalize().as_bytes(), self.1.finalize().into())
    }
}
