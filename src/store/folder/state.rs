//! The file beside the others that says how far they go: `.cursor.json`.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

use serde::{Deserialize, Serialize};

use super::FilePlace;
use crate::journal::boot;
use crate::store::dir::Dir;
use crate::store::{Cursor, fuse};

pub(super) const CURSOR: &str = ".cursor.json";
const CURSOR_NEW: &str = ".cursor.json.new";
/// Files whose ends are remembered, those touched last.
pub(super) const RECENT_MAX: usize = 64;
const TAIL_BYTES: u64 = 4 << 10;
/// A cursor is some ten KiB; more is not read.
const BYTES_MAX: u64 = 1 << 20;

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub cursor: Option<Cursor>,
    /// The newest last.
    pub recent: Vec<(FilePlace, Tail)>,
    /// Files that were touched and not made durable since: never more than are remembered.
    pub unsynced: usize,
    /// Which run of the machine they were touched in.
    boot: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tail {
    pub bytes: u64,
    /// blake3 of its last 4 KiB, hex.
    hash: String,
}

#[derive(Serialize, Deserialize)]
struct Written {
    cursor: String,
    sequence: u64,
    files: Vec<WrittenTail>,
    #[serde(default)]
    unsynced: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boot: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct WrittenTail {
    path: String,
    bytes: u64,
    tail: String,
}

impl State {
    /// Reads it; what cannot be read as one says nothing of how far the files go.
    pub fn read(dir: &Dir) -> io::Result<Self> {
        let Some(file) = dir.read(CURSOR)? else { return Ok(Self::default()) };
        let mut bytes = Vec::new();
        file.take(BYTES_MAX).read_to_end(&mut bytes)?;
        let Ok(written) = serde_json::from_slice::<Written>(&bytes) else {
            return Ok(Self::default());
        };
        let cursor = Cursor::parse(&written.cursor, written.sequence);
        let recent = written.files.into_iter().filter_map(|file| {
            let tail = Tail { bytes: file.bytes, hash: file.tail };
            Some((FilePlace::parse(&file.path)?, tail))
        });
        let (unsynced, boot) = (written.unsynced, written.boot);
        Ok(Self { cursor, recent: recent.collect(), unsynced, boot })
    }

    pub fn write(&self, dir: &Dir) -> io::Result<()> {
        let Some(cursor) = &self.cursor else { return Ok(()) };
        let files = self.recent.iter().map(|(place, tail)| WrittenTail {
            path: place.to_string(),
            bytes: tail.bytes,
            tail: tail.hash.clone(),
        });
        let written = Written {
            cursor: cursor.name(),
            sequence: cursor.position.sequence,
            files: files.collect(),
            unsynced: self.unsynced,
            boot: boot().filter(|_| self.unsynced > 0).map(str::to_owned),
        };
        let mut bytes = serde_json::to_vec(&written)?;
        bytes.push(b'\n');
        dir.remove(CURSOR_NEW)?;
        fuse::write(&mut dir.create(CURSOR_NEW)?, &bytes)?;
        dir.rename(CURSOR_NEW, dir, CURSOR)
    }

    /// Whether the machine may have lost power since files were touched that were not durable.
    pub fn is_of_another_boot(&self) -> bool {
        self.unsynced > 0 && self.boot.as_deref() != boot()
    }

    /// Fails where one of the files touched last is not as it was left, but for those to be `passed`.
    pub fn files_as_left(&self, dir: &Dir, passed: impl Fn(&FilePlace) -> bool) -> io::Result<()> {
        for (place, left) in self.recent.iter().filter(|(place, _)| !passed(place)) {
            left.must_be_of(place, place.file_in(dir)?.as_ref())?;
        }
        Ok(())
    }

    pub fn tail(&self, place: &FilePlace) -> Option<&Tail> {
        self.recent.iter().find(|(known, _)| known == place).map(|(_, tail)| tail)
    }

    pub fn forget(&mut self, place: &FilePlace) {
        self.recent.retain(|(known, _)| known != place);
    }

    pub fn touch(&mut self, place: &FilePlace, tail: Tail) {
        self.recent.retain(|(known, _)| known != place);
        self.recent.push((place.clone(), tail));
        let over = self.recent.len().saturating_sub(RECENT_MAX);
        self.recent.drain(..over);
    }
}

impl Tail {
    pub fn of(file: &File) -> io::Result<Self> {
        let bytes = file.metadata()?.len();
        let from = bytes.saturating_sub(TAIL_BYTES);
        let mut end = vec![0; usize::try_from(bytes - from).unwrap_or_default()];
        file.read_exact_at(&mut end, from)?;
        Ok(Self { bytes, hash: blake3::hash(&end).to_hex().to_string() })
    }

    /// Fails where the file is not as it was left.
    pub fn must_be_of(&self, place: &FilePlace, file: Option<&File>) -> io::Result<()> {
        match file.map(Self::of).transpose()? {
            Some(tail) if tail == *self => Ok(()),
            _ => Err(io::Error::new(io::ErrorKind::InvalidData, format!("{place} was changed"))),
        }
    }
}

/// Whether a name in the folder itself is one of ours and no content.
pub(super) fn is_own(name: &[u8]) -> bool {
    [CURSOR.as_bytes(), CURSOR_NEW.as_bytes(), super::undo::UNDO.as_bytes()].contains(&name)
        || name.starts_with(super::undo::KEPT.as_bytes())
}
