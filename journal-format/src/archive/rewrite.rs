//! Changing an archived segment: for redaction, which must reach what was moved.

use std::fs::Permissions;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::read::{Hashes, unpack};
use super::write::{ZSTD_LEVEL, holds, keep, made_anew};
use super::{ArchiveError, Block, Manifest, address, data_name, manifest_name, read_manifest};
use crate::limits::ARCHIVE_BLOCK_BYTES;
use crate::storage::{OpenHow, enclosure};

/// Rewrites one archived segment: unpacked beside it, changed by `change` in place (as long as before; frames keep
/// their offsets, and so their leaves), packed again in the old one's place. Answers the manifest that counts from
/// then on: the note in the journal's folder is to have it, and an event to vouch for it. Killed anywhere and done
/// again with the manifest of before it is completed.
///
/// # Errors
/// As [`unpack`]; the archive is then as it was.
pub fn rewrite(
    folder: &Path,
    manifest: &Manifest,
    change: impl FnOnce(&Path) -> std::io::Result<()>,
) -> Result<Manifest, ArchiveError> {
    if address(folder).is_some() {
        let what = "what lies in an object store is not changed there: bring it back first";
        return Err(ArchiveError::Refused { path: folder.to_owned(), what });
    }
    let name = data_name(&manifest.name);
    let data = folder.join(&name);
    if let Some(since) = read_manifest(folder, &manifest.name)?
        && (since.size, since.root, since.mark) == (manifest.size, manifest.root, manifest.mark)
        && since != *manifest
        && holds(&data, &since).is_ok()
    {
        return Ok(since);
    }
    let plain = folder.join(format!(".{name}.{}.plain.tmp", std::process::id()));
    let packed = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    drop(made_anew(&plain)?);
    enclosure::remove(&plain).map_err(ArchiveError::io(&plain, "removed"))?;
    unpack(folder, manifest, &plain)?;
    let writable = enclosure::open(&plain, OpenHow::Read)
        .and_then(|file| file.set_permissions(Permissions::from_mode(0o600)));
    let changed =
        writable.and_then(|()| change(&plain)).map_err(ArchiveError::io(&plain, "changed"));
    let made = changed.and_then(|()| {
        let made = repack(&plain, &packed, manifest)?;
        holds(&packed, &made)?;
        Ok(made)
    });
    // What stays is no part of the archive; what stopped the work is the error to tell.
    drop(enclosure::remove(&plain));
    let made = match made {
        Ok(made) => made,
        Err(error) => {
            drop(enclosure::remove(&packed)); // as above
            return Err(error);
        }
    };
    keep(&folder.join(manifest_name(&manifest.name)), made.to_text().as_bytes())?;
    let renamed = enclosure::rename(&packed, &data);
    let kept = renamed.and_then(|()| enclosure::folder(folder)?.sync_all());
    kept.map_err(ArchiveError::io(&data, "renamed"))?;
    Ok(made)
}

fn repack(plain: &Path, to: &Path, before: &Manifest) -> Result<Manifest, ArchiveError> {
    let failed = ArchiveError::io;
    let file = enclosure::open(plain, OpenHow::Read).map_err(failed(plain, "opened"))?;
    if file.metadata().map_err(failed(plain, "read"))?.len() != before.bytes {
        let what = "its length may not change";
        return Err(ArchiveError::Refused { path: plain.to_owned(), what });
    }
    let mut out = made_anew(to)?;
    let (mut hashes, mut blocks) = (Hashes::default(), Vec::new());
    let mut block = Vec::new();
    for _ in 0..before.blocks.len() {
        block.clear();
        let mut part = (&file).take(ARCHIVE_BLOCK_BYTES);
        part.read_to_end(&mut block).map_err(failed(plain, "read"))?;
        hashes.take(&block);
        let stored = zstd::bulk::compress(&block, ZSTD_LEVEL);
        let stored = stored.map_err(failed(to, "compressed"))?;
        out.write_all(&stored).map_err(failed(to, "written"))?;
        blocks
            .push(Block { bytes: stored.len() as u64, blake3: *blake3::hash(&stored).as_bytes() });
    }
    out.sync_all().map_err(failed(to, "flushed"))?;
    let (blake3, sha256) = hashes.end();
    Ok(Manifest { blake3, sha256, blocks, ..before.clone() })
}
