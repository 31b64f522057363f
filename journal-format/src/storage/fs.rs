//! The real disk.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt};
use std::path::Path;

use super::enclosure::{self, Kind};
use super::{LockKind, OpenHow, Storage, StorageFile};

/// The real disk: files 0600, folders 0700, opened as [`enclosure`] does.
#[derive(Clone, Copy, Debug, Default)]
pub struct FsStorage;

/// A file on the real disk.
#[derive(Debug)]
pub struct FsFile(File);

impl Storage for FsStorage {
    type File = FsFile;

    fn open(&self, path: &Path, how: OpenHow) -> io::Result<FsFile> {
        enclosure::open(path, how).map(FsFile)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let names = enclosure::names(folder)?.into_iter().filter(|(_, kind)| *kind == Kind::File);
        Ok(names.filter_map(|(name, _)| name.into_string().ok()).collect()) // no name of ours
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        enclosure::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        enclosure::remove(path)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        for made in enclosure::make_folders(folder)? {
            let parent = made.parent().filter(|parent| !parent.as_os_str().is_empty());
            match self.sync_folder(parent.unwrap_or(Path::new("."))) {
                // A folder that may be written and not read cannot be flushed either.
                Err(error) if error.kind() != io::ErrorKind::PermissionDenied => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        enclosure::folder(folder)?.sync_all()
    }

    fn identity_of(&self, path: &Path) -> io::Result<(u64, u64)> {
        // Asked at every append, and nothing is opened: the name's own identity is enough.
        named_identity(path).or_else(|_| {
            let about = fs::symlink_metadata(path)?;
            Ok((about.dev(), about.ino()))
        })
    }

    fn take_mode(&self, of: &Path, file: &Path) -> io::Result<()> {
        let mode = enclosure::open(of, OpenHow::Read)?.metadata()?.permissions();
        enclosure::open(file, OpenHow::Read)?.set_permissions(mode)
    }

    fn boot_id(&self) -> [u8; 16] {
        // Absent outside Linux: zeros, which no tail slot is believed for.
        let mut id = [0; 16];
        let digits: Vec<u8> =
            super::boot().unwrap_or_default().bytes().filter(u8::is_ascii_hexdigit).collect();
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            let value = |digit: u8| (digit as char).to_digit(16).unwrap_or(0) as u8;
            *byte = value(pair[0]) << 4 | value(pair[1]);
        }
        id
    }
}

/// Asks for no times: where somebody has, the next write to the file gives it a new one, its inode
/// changes, and whatever is flushed on that disk waits for it as well. The slot in `LOCK` is written at
/// every append: asked for the times of that, a flush of the segment took half as long again.
#[cfg(target_os = "linux")]
fn named_identity(path: &Path) -> io::Result<(u64, u64)> {
    use rustix::fs::{AtFlags, CWD, StatxFlags, makedev, statx};
    let about = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::INO)?;
    Ok((makedev(about.stx_dev_major, about.stx_dev_minor), about.stx_ino))
}

/// Asks for no times either, and walks no path.
#[cfg(target_os = "linux")]
fn names_of(file: &File) -> io::Result<u64> {
    use rustix::fs::{AtFlags, StatxFlags, statx};
    let about = statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::NLINK)?;
    Ok(about.stx_nlink.into())
}

#[cfg(not(target_os = "linux"))]
fn names_of(_: &File) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
fn named_identity(_: &Path) -> io::Result<(u64, u64)> {
    Err(io::ErrorKind::Unsupported.into())
}

impl StorageFile for FsFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.0.write_at(bytes, offset)
    }

    #[cfg(target_os = "linux")]
    #[allow(unsafe_code, reason = "no crate has a safe form of this call")]
    fn begin_sync(&self, from: u64, to: u64) {
        use std::os::fd::AsRawFd;
        let bytes = i64::try_from(to.saturating_sub(from));
        let (Ok(from), Ok(bytes)) = (i64::try_from(from), bytes) else { return };
        let fd = self.0.as_raw_fd();
        // SAFETY: it takes numbers alone, and the descriptor is open for as long as the file is lent.
        unsafe { libc::sync_file_range(fd, from, bytes, libc::SYNC_FILE_RANGE_WRITE) };
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn len(&self) -> io::Result<u64> {
        self.0.metadata().map(|about| about.len())
    }

    #[cfg(target_os = "linux")]
    fn data_from(&self, at: u64) -> u64 {
        use rustix::fs::{SeekFrom, seek};
        match seek(&self.0, SeekFrom::Data(at)) {
            Ok(data) => data,
            // Up to the end there is none.
            Err(rustix::io::Errno::NXIO) => u64::MAX,
            // What does not know is read.
            Err(_) => at,
        }
    }

    // By its full name: since Rust 1.89 the inherent methods of `File` shadow fs2's.
    fn lock(&self, kind: LockKind) -> io::Result<()> {
        match kind {
            LockKind::Shared => fs2::FileExt::lock_shared(&self.0),
            LockKind::Exclusive => fs2::FileExt::lock_exclusive(&self.0),
        }
    }

    fn try_lock(&self, kind: LockKind) -> io::Result<bool> {
        let tried = match kind {
            LockKind::Shared => fs2::FileExt::try_lock_shared(&self.0),
            LockKind::Exclusive => fs2::FileExt::try_lock_exclusive(&self.0),
        };
        match tried {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == fs2::lock_contended_error().kind() => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn unlock(&self) -> io::Result<()> {
        fs2::FileExt::unlock(&self.0)
    }

    fn identity(&self) -> io::Result<((u64, u64), u64)> {
        let about = self.0.metadata()?;
        Ok(((about.dev(), about.ino()), about.nlink()))
    }

    fn is_named(&self) -> io::Result<bool> {
        let names = names_of(&self.0).or_else(|_| self.identity().map(|(_, names)| names))?;
        Ok(names > 0)
    }

    #[allow(
        unsafe_code,
        reason = "mapping a file is unsafe: the caller maps only what no one writes"
    )]
    fn map(&self) -> io::Result<Option<memmap2::Mmap>> {
        if self.0.metadata()?.len() == 0 {
            return Ok(None);
        }
        // SAFETY: only sealed or rolled segments are mapped, which no writer of ours touches.
        unsafe { memmap2::Mmap::map(&self.0) }.map(Some)
    }
}
