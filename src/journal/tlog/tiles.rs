//! Where the tiles lie: files below `.annals/tlog`, and in memory what is not kept there.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use annals_journal_format::tree::{Hash, TILE_HASHES, TileAt, TileName, Tiles};

use crate::journal::{derived_file, enclosure};

const HASH_BYTES: usize = 32;

/// Tiles of one tree.
#[derive(Debug, Default)]
pub(super) struct TilePlace {
    /// `None`: they are in memory alone.
    folder: Option<PathBuf>,
    held: RefCell<BTreeMap<String, Vec<Hash>>>,
    /// Leaves that the tiles in the folder are of.
    size: Cell<u64>,
}

impl TilePlace {
    pub fn of(folder: Option<PathBuf>, size: u64) -> Self {
        Self { folder, held: RefCell::default(), size: Cell::new(size) }
    }

    /// Takes a tile: one that is full is written, where there is a folder, so that what is held does not grow
    /// with the journal.
    pub fn hold(&self, name: TileName, hashes: &[Hash]) {
        let folder = self.folder.as_deref().filter(|_| name.width.is_none());
        let name = name.to_string();
        // What could not be written is held, and tried again at the end.
        if folder.is_none_or(|folder| write(folder, &name, hashes).is_err()) {
            self.held.borrow_mut().insert(name, hashes.to_vec());
        }
    }

    /// Writes what is held, and takes away the partial tiles that others take the place of.
    pub fn write(&self, size: u64) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut held = self.held.borrow_mut();
        for (name, hashes) in held.iter() {
            write(folder, name, hashes)?;
        }
        held.clear();
        let before = self.size.replace(size);
        for name in partials(before).filter(|name| !partials(size).any(|it| it == *name)) {
            // One that stays says nothing wrong: a tree of its size had it.
            drop(enclosure::remove(&path(folder, &name.to_string())));
        }
        Ok(())
    }
}

impl Tiles for TilePlace {
    type Error = io::Error;

    fn tile(&self, at: TileAt, width: usize) -> io::Result<Vec<Hash>> {
        let held = self.held.borrow();
        let full = TileName { at, width: None }.to_string();
        let is_wide = |hashes: &&Vec<Hash>| hashes.len() >= width;
        let partial =
            held.range(format!("{full}.p/")..).take_while(|(name, _)| name.starts_with(&full));
        if let Some(found) = held.get(&full).or_else(|| partial.map(|(_, it)| it).find(is_wide)) {
            return Ok(found.clone());
        }
        let folder = self.folder.as_deref().ok_or(ErrorKind::NotFound)?;
        let left = partials(self.size.get()).find(|name| name.at == at).map(|it| it.to_string());
        let read =
            |name: &str| derived_file::read(&path(folder, name), (TILE_HASHES * HASH_BYTES) as u64);
        let bytes = read(&full).or_else(|| left.as_deref().and_then(read));
        let bytes = bytes.filter(|it| it.len() >= width * HASH_BYTES);
        let bytes = bytes.ok_or_else(|| {
            io::Error::new(ErrorKind::NotFound, format!("tile {full} is missing, or is cut"))
        })?;
        Ok(bytes.as_chunks::<HASH_BYTES>().0.to_vec())
    }
}

fn write(folder: &Path, name: &str, hashes: &[Hash]) -> io::Result<()> {
    let path = path(folder, name);
    if let Some(parent) = path.parent()
        && !enclosure::is_folder(parent)
    {
        enclosure::make_folders(parent)?;
    }
    derived_file::replace(&path, &hashes.concat())
}

fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join("tile").join(name)
}

/// The tiles at the right edge of a tree that are not full.
fn partials(size: u64) -> impl Iterator<Item = TileName> {
    (0..8_u8).filter_map(move |level| {
        let hashes = size >> (8 * u32::from(level));
        let width = u8::try_from(hashes % TILE_HASHES as u64).ok().filter(|width| *width > 0)?;
        let at = TileAt { level, number: hashes / TILE_HASHES as u64 };
        Some(TileName { at, width: Some(width) })
    })
}
