//! The tiles of the tree, beside the segments that they are of.

use std::io;
use std::ops::Range;
use std::path::Path;

use annals_journal_format::tree::{TILE_HASHES, TileAt, TileName};

use super::remote::Store;
use crate::journal::enclosure::{self, OpenHow};
use crate::journal::tlog::{TlogError, Tree};

/// Puts the tiles of a tree of so many records into an archive's folder, as `tile/LEVEL/NUMBER`, but for those that one of
/// fewer records has: whoever has them needs no segment to check a proof. They are derived: what is there and differs is
/// replaced.
pub(super) fn put(
    tree: &Tree,
    Range { start: known, end: size }: Range<u64>,
    folder: &Path,
    store: Option<&Store>,
) -> Result<(), TlogError> {
    for level in 0..8_u8 {
        let hashes = size >> (8 * u32::from(level));
        if hashes == 0 {
            break;
        }
        let width = TILE_HASHES as u64;
        let first = (known >> (8 * u32::from(level))) / width;
        for number in first..hashes.div_ceil(width) {
            let count = (hashes - number * width).min(width);
            let at = TileAt { level, number };
            // 256 are a full one, which has no width.
            let name = TileName { at, width: u8::try_from(count).ok() };
            let bytes = tree.tile(at, count as usize)?.concat();
            let path = folder.join("tile").join(name.to_string());
            let failed = |source| TlogError::Io {
                path: path.clone(),
                did: "written to the archive",
                source,
            };
            let kept = match store {
                // One that is there stays: in a store nothing is written over.
                Some(store) => store.put(&path, bytes).map(drop),
                None => keep(&path, &bytes),
            };
            kept.map_err(failed)?;
        }
    }
    Ok(())
}

fn keep(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if enclosure::read(path, bytes.len() as u64 + 1).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    enclosure::make_folders(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    // What has the name was left by a dead process with this number.
    drop(enclosure::remove(&temporary));
    let mut file = enclosure::open(&temporary, OpenHow::CreateNew)?;
    io::Write::write_all(&mut file, bytes)?;
    file.sync_all()?;
    enclosure::rename(&temporary, path)?;
    enclosure::folder(folder)?.sync_all()
}
