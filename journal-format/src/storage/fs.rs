//! The real disk.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileExt as _, MetadataExt, OpenOptionsExt};
use std::path::Path;

use super::{LockKind, OpenHow, Storage, StorageFile};

/// The real disk: files 0600, folders 0700, no symlink followed at a file's own name.
#[derive(Clone, Copy, Debug, Default)]
pub struct FsStorage;

/// A file on the real disk.
#[derive(Debug)]
pub struct FsFile(File);

impl Storage for FsStorage {
    type File = FsFile;

    fn open(&self, path: &Path, how: OpenHow) -> io::Result<FsFile> {
        // A FIFO would wait for its other end, a device could do anything: refuse both first.
        if let Ok(about) = fs::metadata(path)
            && !about.is_file()
        {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        }
        let mut options = OpenOptions::new();
        options.read(true).mode(0o600);
        match how {
            OpenHow::Read => {}
            OpenHow::ReadWrite => {
                options.write(true);
            }
            OpenHow::ReadWriteOrCreate => {
                options.write(true).create(true);
            }
            OpenHow::CreateNew => {
                options.write(true).create_new(true);
            }
        }
        options.open(path).map(FsFile)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_file()
                && let Ok(name) = entry.file_name().into_string()
            {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        let missing: Vec<_> = folder
            .ancestors()
            .take_while(|path| !path.as_os_str().is_empty() && !path.is_dir())
            .collect();
        for path in missing.into_iter().rev() {
            match fs::DirBuilder::new().mode(0o700).create(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            match self.sync_folder(parent.unwrap_or(Path::new("."))) {
                // A folder that may be written and not read cannot be flushed either.
                Err(error) if error.kind() != io::ErrorKind::PermissionDenied => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    fn identity_of(&self, path: &Path) -> io::Result<(u64, u64)> {
        let about = fs::metadata(path)?;
        Ok((about.dev(), about.ino()))
    }

    fn boot_id(&self) -> [u8; 16] {
        // Absent outside Linux: zeros, which no tail slot is believed for.
        let text = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let mut id = [0; 16];
        let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            let value = |digit: u8| (digit as char).to_digit(16).unwrap_or(0) as u8;
            *byte = value(pair[0]) << 4 | value(pair[1]);
        }
        id
    }
}

impl StorageFile for FsFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<usize> {
        self.0.write_at(bytes, offset)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn len(&self) -> io::Result<u64> {
        self.0.metadata().map(|about| about.len())
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
