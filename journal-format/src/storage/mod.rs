//! What the journal asks of a disk, so that a simulated one can stand in for the real one.

mod boot;
pub mod enclosure;
mod fs;
mod lock_kind;
mod open_how;
pub mod sim;
mod source;

use std::io;
use std::path::Path;

use crate::limits::HEADER_PAGE_BYTES;

pub use boot::boot;
pub use fs::{FsFile, FsStorage};
pub use lock_kind::LockKind;
pub use open_how::OpenHow;
pub use source::{SourceFile, SourceStorage};

/// A disk: folders of files, and what must be flushed when.
pub trait Storage: Clone + Send + Sync + 'static {
    type File: StorageFile + 'static;

    /// Opens a file; [`OpenHow`] says what may be created.
    fn open(&self, path: &Path, how: OpenHow) -> io::Result<Self::File>;
    /// The names in a folder, unsorted; what is not a regular file or has no UTF-8 name is left
    /// out.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// A segment's header page, or as much of it as there is.
    fn header_page(&self, path: &Path) -> io::Result<Vec<u8>> {
        first_page(&self.open(path, OpenHow::Read)?)
    }
    /// Renames, replacing what was there.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes a folder and its parents, each durable in the one above; fine where it exists.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;
    /// Makes renames, creations and removals in a folder durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
    /// The (device, inode) that a path names now.
    fn identity_of(&self, path: &Path) -> io::Result<(u64, u64)>;
    /// Gives a new file what another may be: read alone, say. Nothing where files have no modes.
    fn take_mode(&self, of: &Path, file: &Path) -> io::Result<()> {
        let _ = (of, file);
        Ok(())
    }
    /// Differs after every boot of the machine; zeros where it cannot be known.
    fn boot_id(&self) -> [u8; 16];
}

/// An open file.
pub trait StorageFile: Send + Sync {
    /// Reads at an offset; fewer bytes than asked only at the end of the file or by interruption.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
    /// Writes at an offset; may write less than asked.
    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize>;
    /// Begins to bring what was written to the disk, and waits for nothing. It proves nothing: that is
    /// for the flush that comes, which has less to do then and tells what failed.
    fn begin_sync(&self, from: u64, to: u64) {
        let _ = (from, to);
    }
    /// `fdatasync`.
    fn sync_data(&self) -> io::Result<()>;
    fn len(&self) -> io::Result<u64>;
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }
    /// The first offset, `at` or behind it, that the disk does not know to hold zeros; at least the file's length
    /// where there is none. Holes cost nothing to make, and as much to read as what was written.
    fn data_from(&self, at: u64) -> u64 {
        at
    }
    /// Waits for an advisory lock on the open file description.
    fn lock(&self, kind: LockKind) -> io::Result<()>;
    /// As [`Self::lock`], but answers `false` instead of waiting.
    fn try_lock(&self, kind: LockKind) -> io::Result<bool>;
    fn unlock(&self) -> io::Result<()>;
    /// (device, inode), and how many names the file still has.
    fn identity(&self) -> io::Result<((u64, u64), u64)>;
    /// Whether it has a name at all.
    fn is_named(&self) -> io::Result<bool> {
        self.identity().map(|(_, names)| names > 0)
    }
    /// The whole file mapped, where the disk can do that. Only for files that no one writes.
    fn map(&self) -> io::Result<Option<memmap2::Mmap>> {
        Ok(None)
    }
}

/// A file's first page, or as much of it as there is.
pub(crate) fn first_page(file: &impl StorageFile) -> io::Result<Vec<u8>> {
    let mut page = vec![0; HEADER_PAGE_BYTES as usize];
    let read = read_full(file, &mut page, 0)?;
    page.truncate(read);
    Ok(page)
}

/// Reads until the buffer is full or the file ends; returns how much there was.
pub fn read_full(
    file: &(impl StorageFile + ?Sized),
    buffer: &mut [u8],
    offset: u64,
) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match file.read_at(&mut buffer[done..], offset + done as u64) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Writes all of the bytes, in as many calls as it takes.
pub fn write_full(file: &impl StorageFile, bytes: &[u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match file.write_at(&bytes[done..], offset + done as u64) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
