//! Packing a segment into an archive's folder.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::manifest::COPY_BYTES;
use super::read::Hashes;
use super::{ArchiveError, ArchivedFile, Block, Manifest, data_name, manifest_name, read_manifest};
use crate::limits::{ARCHIVE_BLOCK_BYTES, ARCHIVE_BLOCKS_MAX, HEADER_PAGE_BYTES};
use crate::segment::{SegmentHeader, SegmentName};
use crate::storage::{OpenHow, Storage, StorageFile, enclosure, read_full};
use crate::tree::Hash;
use crate::units::Mark;

/// What a block is compressed with: fixed, so that the same segment gives the same bytes.
const ZSTD_LEVEL: i32 = 9;

/// A segment that is to be archived.
#[derive(Clone, Copy, Debug)]
pub struct ToArchive<'a> {
    pub path: &'a Path,
    pub name: SegmentName,
    /// What the next segment goes on from.
    pub mark: Mark,
    /// Events up to there, and the root over them.
    pub size: u64,
    pub root: Hash,
}

/// What became of one.
#[derive(Clone, Debug)]
pub struct Written {
    pub manifest: Manifest,
    /// It was all there before.
    pub was_there: bool,
}

/// Compresses a segment into a folder and writes its manifest: each under another name first, flushed, read back and
/// held against the segment. What is there of it already is kept where it holds, and made anew where it does not.
///
/// # Errors
/// Where the folder has another copy of this segment, or something cannot be read or written.
pub fn pack<S: Storage>(
    storage: &S,
    segment: &ToArchive<'_>,
    folder: &Path,
) -> Result<Written, ArchiveError> {
    let data = folder.join(data_name(&segment.name));
    let there = read_manifest(folder, &segment.name)?;
    if let Some(there) = &there {
        let (blake3, sha256, _) = hashes(storage, segment)?;
        if (there.blake3, there.sha256) != (blake3, sha256) || !is_of(there, segment) {
            return Err(ArchiveError::Other { path: folder.join(manifest_name(&segment.name)) });
        }
        if holds(&data, there).is_ok() {
            return Ok(Written { manifest: there.clone(), was_there: true });
        }
    }
    let temporary =
        folder.join(format!(".{}.{}.tmp", data_name(&segment.name), std::process::id()));
    let packed = compress(storage, segment, &temporary).and_then(|manifest| {
        holds(&temporary, &manifest)?;
        Ok(manifest)
    });
    let manifest = match packed {
        Ok(manifest) => manifest,
        Err(error) => {
            // The error that stopped it is the one to tell.
            drop(enclosure::remove(&temporary));
            return Err(error);
        }
    };
    enclosure::rename(&temporary, &data).map_err(ArchiveError::io(&data, "renamed"))?;
    keep(&folder.join(manifest_name(&segment.name)), manifest.to_text().as_bytes())?;
    Ok(Written { manifest, was_there: false })
}

fn is_of(manifest: &Manifest, segment: &ToArchive<'_>) -> bool {
    manifest.name == segment.name
        && manifest.mark == segment.mark
        && (manifest.size, manifest.root) == (segment.size, segment.root)
}

/// Writes a file of an archive: under another name, flushed, and then under its own, its folder flushed.
///
/// # Errors
/// Where the disk does not take it.
fn keep(path: &Path, bytes: &[u8]) -> Result<(), ArchiveError> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(ArchiveError::io(path, "named")(ErrorKind::InvalidInput.into()));
    };
    let temporary = folder.join(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let mut file = made_anew(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let kept = written.and_then(|()| enclosure::rename(&temporary, path));
    let kept = kept.and_then(|()| enclosure::folder(folder)?.sync_all());
    kept.map_err(ArchiveError::io(path, "written"))
}

/// What has the name was left by a dead process with this number.
fn made_anew(path: &Path) -> Result<File, ArchiveError> {
    match enclosure::remove(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(ArchiveError::io(path, "removed")(error));
        }
        _ => {}
    }
    enclosure::open(path, OpenHow::CreateNew).map_err(ArchiveError::io(path, "made"))
}

/// Holds every byte of an archived segment against its manifest.
fn holds(path: &Path, manifest: &Manifest) -> Result<(), ArchiveError> {
    let file =
        ArchivedFile::open(path, manifest.clone()).map_err(ArchiveError::io(path, "opened"))?;
    let mut hashes = Hashes::default();
    for number in 0..manifest.blocks.len() {
        hashes.take(&file.block(number).map_err(ArchiveError::io(path, "read"))?);
    }
    match hashes.end() == (manifest.blake3, manifest.sha256) {
        true => Ok(()),
        false => {
            Err(super::ArchiveFault::wrong(path, "is not the segment that was archived").into())
        }
    }
}

type Read = ([u8; 32], [u8; 32], u64);

fn hashes<S: Storage>(storage: &S, segment: &ToArchive<'_>) -> Result<Read, ArchiveError> {
    let mut hashes = Hashes::default();
    let bytes = each_block(storage, segment.path, |block| {
        hashes.take(block);
        Ok(())
    })?;
    let (blake3, sha256) = hashes.end();
    Ok((blake3, sha256, bytes))
}

/// Shows a file block by block; answers how long it is.
fn each_block<S: Storage>(
    storage: &S,
    path: &Path,
    mut show: impl FnMut(&[u8]) -> Result<(), ArchiveError>,
) -> Result<u64, ArchiveError> {
    let failed = |did| ArchiveError::io(path, did);
    let file = storage.open(path, OpenHow::Read).map_err(failed("opened"))?;
    let len = file.len().map_err(failed("read"))?;
    if len.div_ceil(ARCHIVE_BLOCK_BYTES) > ARCHIVE_BLOCKS_MAX {
        return Err(ArchiveError::Refused { path: path.to_owned(), what: "it is too long" });
    }
    let (mut block, mut at) = (vec![0; ARCHIVE_BLOCK_BYTES as usize], 0);
    while at < len {
        let want = (len - at).min(ARCHIVE_BLOCK_BYTES) as usize;
        if read_full(&file, &mut block[..want], at).map_err(failed("read"))? < want {
            return Err(failed("read")(ErrorKind::UnexpectedEof.into()));
        }
        show(&block[..want])?;
        at += want as u64;
    }
    Ok(len)
}

fn compress<S: Storage>(
    storage: &S,
    segment: &ToArchive<'_>,
    to: &Path,
) -> Result<Manifest, ArchiveError> {
    let refused = |what| ArchiveError::Refused { path: segment.path.to_owned(), what };
    let page = storage.header_page(segment.path).map_err(ArchiveError::io(segment.path, "read"))?;
    let header = SegmentHeader::parse(&page).map_err(|_| refused("its header does not hold"))?;
    let mut copy = [0; COPY_BYTES];
    copy.copy_from_slice(&page[..COPY_BYTES]);
    let mut file = made_anew(to)?;
    let (mut hashes, mut blocks) = (Hashes::default(), Vec::new());
    let bytes = each_block(storage, segment.path, |block| {
        hashes.take(block);
        let stored = zstd::bulk::compress(block, ZSTD_LEVEL);
        let stored = stored.map_err(ArchiveError::io(to, "compressed"))?;
        file.write_all(&stored).map_err(ArchiveError::io(to, "written"))?;
        let blake3 = *blake3::hash(&stored).as_bytes();
        blocks.push(Block { bytes: stored.len() as u64, blake3 });
        Ok(())
    })?;
    file.sync_all().map_err(ArchiveError::io(to, "flushed"))?;
    let (blake3, sha256) = hashes.end();
    let ToArchive { name, mark, size, root, .. } = *segment;
    let manifest = Manifest {
        journal: header.journal,
        name,
        before: header.previous.chain,
        mark,
        size,
        root,
        bytes,
        blake3,
        sha256,
        header: copy,
        blocks,
    };
    if page.len() as u64 != HEADER_PAGE_BYTES || manifest.header_page() != page {
        return Err(refused("its header page is damaged"));
    }
    Ok(manifest)
}
