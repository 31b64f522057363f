//! Files that the kernel no longer has in memory.

use std::fs::File;
use std::path::{Path, PathBuf};

use rustix::fs::{Advice, fadvise, fstatfs};

use crate::BenchError;

/// Of a file system in memory, where nothing can be dropped.
const TMPFS_MAGIC: i64 = 0x0102_1994;

/// Writes these files, and those in these folders, to the disk and drops their pages. Whether that can be: not
/// where the files are in memory alone. What holds the disk below may have them still.
pub fn drop_pages(paths: &[PathBuf]) -> Result<bool, BenchError> {
    let mut is_cold = true;
    for path in paths {
        // A log of a store that was closed is not there any more.
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(BenchError::io("listing a folder"))?;
            let paths: Result<Vec<PathBuf>, _> = entries.map(|it| it.map(|it| it.path())).collect();
            is_cold &= drop_pages(&paths.map_err(BenchError::io("listing a folder"))?)?;
        } else if path.exists() {
            is_cold &= drop_file(path)?;
        }
    }
    Ok(is_cold)
}

fn drop_file(path: &Path) -> Result<bool, BenchError> {
    let failed = || BenchError::io("dropping a file's pages");
    let file = File::open(path).map_err(failed())?;
    if fstatfs(&file).map_err(|error| failed()(error.into()))?.f_type as i64 == TMPFS_MAGIC {
        return Ok(false);
    }
    file.sync_all().map_err(failed())?;
    fadvise(&file, 0, None, Advice::DontNeed).map_err(|error| failed()(error.into()))?;
    Ok(true)
}
