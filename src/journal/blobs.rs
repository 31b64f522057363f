//! Content too large to travel inline (R9): a folder of files named by their blake3.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use annals_journal_format::bundle::is_bundle;
use annals_journal_format::storage::{
    OpenHow, SourceFile, SourceStorage, Storage, StorageFile, read_full,
};

use super::{JournalError, Reading};
use crate::event::Content;
use crate::event::limits::CONTENT_BYTES_MAX;
use crate::journal::enclosure;

const PIECE_BYTES: u64 = 256 << 10;

/// A journal's folder of large contents. A name is 64 hex digits and nothing else, so that no
/// event can lead out of it.
#[derive(Clone, Debug)]
pub struct Blobs {
    folder: PathBuf,
    /// The bundle that they lie in, if they do.
    bundle: Option<SourceStorage>,
}

impl Blobs {
    /// The blobs of the journal at `path`: a folder, one of its segments, or a bundle.
    pub fn of(path: &Path) -> Result<Self, JournalError> {
        if is_bundle(path) {
            return Ok(Self::within(path, &Reading::Evidence.storage(path)?));
        }
        Ok(Self::files_of(path))
    }

    /// The blobs of the journal in this folder, or that this segment is of.
    pub(super) fn files_of(path: &Path) -> Self {
        match path.parent() {
            Some(folder) if path.is_file() => Self::beside(folder),
            _ => Self::beside(path),
        }
    }

    pub fn beside(dir: &Path) -> Self {
        Self { folder: dir.join("blobs"), bundle: None }
    }

    pub(super) fn within(path: &Path, bundle: &SourceStorage) -> Self {
        Self { folder: path.join("blobs"), bundle: Some(bundle.clone()) }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn path(&self, hash: &[u8; 32]) -> PathBuf {
        self.folder.join(blake3::Hash::from_bytes(*hash).to_hex().as_str())
    }

    /// Keeps bytes, durable before it returns: temporary file, fdatasync, rename, fsync of the
    /// folder. What is there already is read through before it is trusted.
    pub fn put(&self, bytes: &[u8]) -> Result<Content, JournalError> {
        let hash = *blake3::hash(bytes).as_bytes();
        let content = Content::Blob { hash, len: bytes.len() as u64 };
        let path = self.path(&hash);
        if self.get(&hash, bytes.len() as u64).is_ok() {
            // Its writer may have died before the folder was synced.
            return self.sync_folder().map(|()| content);
        }
        let failed = |did| {
            let path = path.clone();
            move |source| JournalError::Blob { path, did, source }
        };
        enclosure::make_folders(&self.folder)
            .and_then(|_| {
                enclosure::folder(self.folder.parent().unwrap_or(&self.folder))?.sync_all()
            })
            .map_err(|source| JournalError::BlobFolder { path: self.folder.clone(), source })?;
        let temporary = self.temporary();
        // A namesake can only be what a dead process with this number left.
        drop(enclosure::remove(&temporary));
        let written =
            write_synced(&temporary, bytes).and_then(|()| enclosure::rename(&temporary, &path));
        if let Err(source) = written {
            // The write's own error is the one to tell; a left-over temporary file is harmless.
            drop(enclosure::remove(&temporary));
            return Err(failed("written")(source));
        }
        self.sync_folder()?;
        Ok(content)
    }

    pub fn get(&self, hash: &[u8; 32], len: u64) -> Result<Vec<u8>, JournalError> {
        let path = self.path(hash);
        let read = |source| JournalError::Blob { path: path.clone(), did: "read", source };
        let wanted = len.min(CONTENT_BYTES_MAX as u64);
        let (file, found) = self.open(&path).map_err(read)?;
        if found != wanted {
            return Err(JournalError::BlobLength { path, found, wanted: len });
        }
        let bytes = piece(&file, 0, wanted).map_err(read)?;
        let found = blake3::hash(&bytes);
        if found.as_bytes() != hash {
            return Err(JournalError::BlobHash { path, found: found.to_hex().to_string() });
        }
        Ok(bytes)
    }

    /// A blob's beginning and end, each of so many bytes at most, in bounded memory; `verify` is
    /// who hashes it whole.
    pub fn ends(&self, hash: &[u8; 32], len: u64, each: u64) -> io::Result<Content> {
        let (file, found) = self.open(&self.path(hash))?;
        let head = piece(&file, 0, each)?;
        let tail = piece(&file, found.saturating_sub(each), each)?;
        Ok(Content::Truncated { head, tail, len })
    }

    pub fn hash(&self, name: &[u8; 32]) -> io::Result<blake3::Hash> {
        let (file, len) = self.open(&self.path(name))?;
        let (mut hasher, mut at) = (blake3::Hasher::new(), 0);
        while at < len {
            let piece = piece(&file, at, PIECE_BYTES)?;
            if piece.is_empty() {
                break; // cut short meanwhile
            }
            hasher.update(&piece);
            at += piece.len() as u64;
        }
        Ok(hasher.finalize())
    }

    /// Those that lie in a bundle, and their lengths; none where they are files.
    pub fn bundled(&self) -> impl Iterator<Item = (&[u8; 32], u64)> {
        let bundle = self.bundle.as_ref().and_then(SourceStorage::bundle);
        bundle.into_iter().flat_map(|it| it.blobs.iter().map(|(hash, extent)| (hash, extent.bytes)))
    }

    fn open(&self, path: &Path) -> io::Result<(SourceFile, u64)> {
        let storage = self.bundle.clone().unwrap_or_default();
        let file = storage.open(path, OpenHow::Read)?;
        let len = file.len()?;
        Ok((file, len))
    }

    /// Unique among the threads and processes that share the folder.
    fn temporary(&self) -> PathBuf {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{}-{number}.tmp", std::process::id()))
    }

    fn sync_folder(&self) -> Result<(), JournalError> {
        enclosure::folder(&self.folder).and_then(|folder| folder.sync_all()).map_err(|source| {
            JournalError::Blob { path: self.folder.clone(), did: "made durable", source }
        })
    }
}

/// So many bytes from an offset on, or fewer at the file's end.
fn piece(file: &SourceFile, at: u64, bytes: u64) -> io::Result<Vec<u8>> {
    let left = file.len()?.saturating_sub(at).min(bytes);
    let mut piece = vec![0; usize::try_from(left).unwrap_or(0)];
    let read = read_full(file, &mut piece, at)?;
    piece.truncate(read);
    Ok(piece)
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = enclosure::open(path, OpenHow::CreateNew)?;
    file.write_all(bytes)?;
    file.sync_data()
}
