//! Which files a journal is, as they stand before they are read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::identity::Identity;

/// Blobs that are listed; a folder that holds more is no journal's of ours.
const BLOBS_MAX: usize = 1 << 20;
/// A blob's name: the hex digits of its blake3.
const NAME_LEN: usize = 64;

/// Which files a journal is.
#[derive(Debug)]
pub(super) struct Listing {
    /// Segments in order, or the one file that it is.
    pub segments: Vec<Listed>,
    pub blobs: Vec<Listed>,
    pub blobs_folder: PathBuf,
}

#[derive(Debug)]
pub(super) struct Listed {
    pub name: String,
    pub identity: Identity,
}

impl Listing {
    pub fn of(journal: &Path) -> io::Result<Self> {
        let about = fs::metadata(journal)?;
        if about.is_file() {
            let name = journal.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let segments = vec![Listed { name, identity: Identity::of(&about) }];
            return Ok(Self { segments, blobs: Vec::new(), blobs_folder: PathBuf::new() });
        }
        let blobs_folder = journal.join("blobs");
        let blobs = match files(&blobs_folder, is_blob) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            listed => listed?,
        };
        Ok(Self { segments: files(journal, |name| name.ends_with(".seg"))?, blobs, blobs_folder })
    }
}

/// A segment's number, by its name.
pub(super) fn number(name: &str) -> Option<u64> {
    name.strip_suffix(".seg")?.split_once('-')?.0.parse().ok()
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
        match entry.metadata() {
            Ok(about) => list.push(Listed { name, identity: Identity::of(&about) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    list.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(list)
}
