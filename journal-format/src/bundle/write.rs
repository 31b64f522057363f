//! Writing a bundle: under a temporary name, synced, and only then under its own.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::manifest::{ORDERS_MAX, hex};
use super::omit::LeftOut;
use super::ustar::{BLOCK_BYTES, Header};
use super::{BundleError, BundleOrder, MANIFEST_NAME, Manifest};
use crate::reader::{ReadError, Reader};
use crate::redaction::{redacted, seed_of};
use crate::storage::{OpenHow, Storage, StorageFile, read_full};
use crate::units::{JournalId, Mark, Sequence};

const STRIDE_BYTES: usize = 1 << 20;

/// What a bundle is to be made of.
#[derive(Clone, Debug)]
pub struct BundleWrite<'a> {
    pub out: &'a Path,
    /// Whether a file that is there is replaced.
    pub force: bool,
    /// What the project is called.
    pub project: &'a str,
    /// When the last event was recorded, Unix seconds: what the entries are dated.
    pub time_s: u64,
    /// The blobs that the journal's events name, each once, in order.
    pub blobs: &'a [[u8; 32]],
    /// The folder that they lie in.
    pub blobs_folder: &'a Path,
    pub leave_out: Option<LeaveOut<'a>>,
}

/// Frames that are redacted in it.
#[derive(Clone, Copy, Debug)]
pub struct LeaveOut<'a> {
    /// All of these kinds.
    pub kinds: &'a [u16],
    /// By their sequences.
    pub records: &'a BTreeSet<u64>,
    /// How many are so already where it is made of a bundle.
    pub before: u64,
    /// One word for what they hold.
    pub what: &'a str,
    /// The orders that it is written anew by, the newest last.
    pub orders: &'a [BundleOrder],
}

/// What a bundle holds.
#[derive(Clone, Debug)]
pub struct BundleReport {
    pub path: PathBuf,
    /// Of the file.
    pub bytes: u64,
    pub journal: JournalId,
    pub first: Sequence,
    /// The last commit in it.
    pub mark: Mark,
    pub segments: u64,
    pub blobs: u64,
    /// Names of blobs that events name and that are not there.
    pub blobs_missing: Vec<String>,
    /// Frames that were redacted in it.
    pub left_out: u64,
}

/// Writes what a reader knows of a journal into one file: every segment up to the end of its last
/// whole commit. Takes no lock, and waits for nobody: what writers append meanwhile is not in it.
///
/// # Errors
/// Where the file is there already, or with `force` something that is no regular file, the source cannot be read, or the disk takes no more. What was
/// there before is then as it was.
pub fn write_bundle<S: Storage>(
    storage: &S,
    reader: &Reader<S>,
    write: &BundleWrite<'_>,
) -> Result<BundleReport, BundleError> {
    let failed = |did| move |source| BundleError::Io { path: write.out.to_owned(), did, source };
    let exists = || BundleError::Exists { path: write.out.to_owned() };
    let special = || BundleError::NotRegular { path: write.out.to_owned() };
    if !write.force && fs::symlink_metadata(write.out).is_ok() {
        return Err(exists());
    }
    if !is_replaceable(write.out) {
        return Err(special());
    }
    let folder = match write.out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = write.out.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    // A namesake can only be what a dead process with this number left.
    drop(fs::remove_file(&temporary));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&temporary)
        .map_err(failed("written"))?;
    let placed = (|| {
        let mut out = Out { file: BufWriter::with_capacity(STRIDE_BYTES, file), bytes: 0 };
        let report = out.bundle(storage, reader, write)?;
        let file = out.file.into_inner().map_err(|error| failed("written")(error.into_error()))?;
        file.sync_all().map_err(failed("made durable"))?;
        match place(&temporary, write.out, write.force) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(if write.force { special() } else { exists() });
            }
            placed => placed.map_err(failed("put in its place"))?,
        }
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed("made durable"))?;
        Ok(report)
    })();
    if placed.is_err() {
        // The error that stopped it is the one to tell.
        drop(fs::remove_file(&temporary));
    }
    placed
}

/// Whether nothing is there, or a regular file: a device, a pipe, a folder or a link is somebody
/// else's way to something.
fn is_replaceable(out: &Path) -> bool {
    fs::symlink_metadata(out).map_or(true, |about| about.is_file())
}

/// Gives the file its name; never in another's place unless that was asked for, and then only in a
/// regular file's.
fn place(temporary: &Path, out: &Path, force: bool) -> io::Result<()> {
    if force {
        if !is_replaceable(out) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        return fs::rename(temporary, out);
    }
    match fs::hard_link(temporary, out) {
        Ok(()) => fs::remove_file(temporary),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // A disk without hard links: looked at once more, then renamed.
        Err(_) if fs::symlink_metadata(out).is_err() => fs::rename(temporary, out),
        Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}

struct Out {
    file: BufWriter<File>,
    bytes: u64,
}

impl Out {
    fn bundle<S: Storage>(
        &mut self,
        storage: &S,
        reader: &Reader<S>,
        write: &BundleWrite<'_>,
    ) -> Result<BundleReport, BundleError> {
        let extents = reader.extents();
        let first = extents.first().map_or(Sequence(1), |it| it.name.first_sequence);
        let (journal, mark) = (reader.id(), reader.mark());
        let left_out = LeftOut::find(reader, write.leave_out.as_ref())?;
        let manifest = Manifest {
            journal,
            first,
            mark,
            project: write.project.to_owned(),
            left_out: write.leave_out.map(|it| (left_out.count, it.what.to_owned())),
            orders: write.leave_out.map_or(Vec::new(), |it| {
                it.orders[it.orders.len().saturating_sub(ORDERS_MAX)..].to_vec()
            }),
        };
        let text = manifest.to_text();
        self.entry(MANIFEST_NAME, text.len() as u64, write)?;
        self.put(text.as_bytes(), write)?;
        self.pad(write)?;
        for segment in &extents {
            let (name, out) = (segment.name.to_string(), left_out.of(segment.name.number));
            self.file(storage, &segment.path, &name, segment.end, out, write)?;
        }
        let (mut blobs, mut blobs_missing) = (0, Vec::new());
        for hash in write.blobs {
            let name = hex(hash);
            let path = write.blobs_folder.join(&name);
            match self.file(storage, &path, &format!("blobs/{name}"), None, &[], write) {
                Ok(()) => blobs += 1,
                Err(BundleError::Source(ReadError::Io { did: "opened", .. })) => {
                    blobs_missing.push(name);
                }
                Err(error) => return Err(error),
            }
        }
        self.put(&[0; 2 * BLOCK_BYTES], write)?;
        let (path, bytes) = (write.out.to_owned(), self.bytes);
        let segments = extents.len() as u64;
        let left_out = left_out.count;
        Ok(BundleReport {
            path,
            bytes,
            journal,
            first,
            mark,
            segments,
            blobs,
            blobs_missing,
            left_out,
        })
    }

    /// One file up to `end`, or all there is of it; of a segment the frames at `left_out` redacted.
    fn file<S: Storage>(
        &mut self,
        storage: &S,
        path: &Path,
        name: &str,
        end: Option<u64>,
        left_out: &[u64],
        write: &BundleWrite<'_>,
    ) -> Result<(), BundleError> {
        let failed = |did| move |source| ReadError::Io { path: path.to_owned(), did, source };
        let file = storage.open(path, OpenHow::Read).map_err(failed("opened"))?;
        let len = file.len().map_err(failed("read"))?;
        let bytes = end.unwrap_or(len).min(len);
        self.entry(&format!("journal/{name}"), bytes, write)?;
        let mut at = 0;
        if !left_out.is_empty() {
            let seed = seed_of(&file).map_err(failed("read"))?;
            for frame_at in left_out.iter().filter(|it| **it < bytes) {
                self.copy(&file, path, at..*frame_at, write)?;
                let frame = redacted(&file, &seed, *frame_at).map_err(failed("read"))?;
                self.put(&frame, write)?;
                at = frame_at + frame.len() as u64;
            }
        }
        self.copy(&file, path, at..bytes, write)?;
        self.pad(write)
    }

    fn copy(
        &mut self,
        file: &impl StorageFile,
        path: &Path,
        range: std::ops::Range<u64>,
        write: &BundleWrite<'_>,
    ) -> Result<(), BundleError> {
        let failed = |source| ReadError::Io { path: path.to_owned(), did: "read", source };
        let stride = range.end.saturating_sub(range.start).min(STRIDE_BYTES as u64);
        let mut buffer = vec![0; stride as usize];
        let mut at = range.start;
        while at < range.end {
            let want = usize::try_from(range.end - at).unwrap_or(usize::MAX).min(STRIDE_BYTES);
            let read = read_full(file, &mut buffer[..want], at).map_err(failed)?;
            if read < want {
                return Err(failed(io::ErrorKind::UnexpectedEof.into()).into());
            }
            self.put(&buffer[..read], write)?;
            at += read as u64;
        }
        Ok(())
    }

    fn entry(
        &mut self,
        name: &str,
        bytes: u64,
        write: &BundleWrite<'_>,
    ) -> Result<(), BundleError> {
        let header = Header { name: name.to_owned(), bytes };
        let block = header.to_block(write.time_s).ok_or_else(|| BundleError::Io {
            path: write.out.to_owned(),
            did: "written: a file of the journal is too large for it",
            source: io::ErrorKind::FileTooLarge.into(),
        })?;
        self.put(&block, write)
    }

    fn pad(&mut self, write: &BundleWrite<'_>) -> Result<(), BundleError> {
        let over = usize::try_from(self.bytes % BLOCK_BYTES as u64).unwrap_or(0);
        let zeros = [0; BLOCK_BYTES];
        self.put(&zeros[..(BLOCK_BYTES - over) % BLOCK_BYTES], write)
    }

    fn put(&mut self, bytes: &[u8], write: &BundleWrite<'_>) -> Result<(), BundleError> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|source| BundleError::Io {
            path: write.out.to_owned(),
            did: "written",
            source,
        })
    }
}
