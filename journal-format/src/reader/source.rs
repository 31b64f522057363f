//! A segment's bytes: mapped where no one writes them, through a window else.

use std::io;
use std::sync::Arc;

use crate::scan::{Bytes, Window};
use crate::storage::StorageFile;

/// How much of a map is brought in at a time, before it is touched.
const POPULATE_BYTES: u64 = 1 << 20;
/// How much of a map stays resident behind a walk, before its pages are let go: a journal is larger
/// than the memory that reading it may take.
const RESIDENT_BYTES_MAX: u64 = 8 << 20;
/// A multiple of every page size.
const RELEASE_BYTES: u64 = 64 << 10;

/// A segment's bytes, on whichever disk: so what goes through them is compiled here, for speed, and once.
pub enum Source {
    /// Pages are populated before they are touched, so that a bad sector is an error value and
    /// not a SIGBUS; where the system cannot, the window takes over.
    Mapped {
        map: memmap2::Mmap,
        populated: std::ops::Range<u64>,
        file: Arc<dyn StorageFile>,
        forgiving: bool,
    },
    Window(Window<Arc<dyn StorageFile>>),
}

impl Source {
    /// Through a window: for what a writer may still write.
    pub fn window(file: Arc<dyn StorageFile>, forgiving: bool) -> io::Result<Self> {
        let window = Window::new(file)?;
        Ok(Self::Window(if forgiving { window.forgiving() } else { window }))
    }

    /// As [`Self::window`]; `brief`, a small one: for what is read a few frames at a time.
    pub fn window_of(file: Arc<dyn StorageFile>, forgiving: bool, brief: bool) -> io::Result<Self> {
        let source = Self::window(file, forgiving)?;
        Ok(match source {
            Self::Window(window) if brief => Self::Window(window.brief()),
            source => source,
        })
    }

    /// Mapped where the disk can do that: only for segments that no writer touches any more.
    pub fn mapped(file: Arc<dyn StorageFile>, forgiving: bool) -> io::Result<Self> {
        match file.map() {
            Ok(Some(map)) => Ok(Self::Mapped { map, populated: 0..0, file, forgiving }),
            // No map, whatever the reason: reading is always possible.
            Ok(None) | Err(_) => Self::window(file, forgiving),
        }
    }

    /// Offsets of blocks that the disk did not give.
    pub fn unreadable(&self) -> Vec<u64> {
        match self {
            Self::Mapped { .. } => Vec::new(),
            Self::Window(window) => window.unreadable().collect(),
        }
    }

    /// Brings in the pages up to `to`; `false` where that is not possible.
    fn populate(&mut self, at: u64, to: u64) -> bool {
        let Self::Mapped { map, populated, .. } = self else { return true };
        if populated.contains(&at) && to <= populated.end {
            return true;
        }
        let from = if populated.contains(&at) { populated.end } else { at };
        let until = to.max(from + POPULATE_BYTES).min(map.len() as u64);
        if advise(map, from as usize, (until - from) as usize).is_err() {
            return false;
        }
        let mut start = if from == at { at } else { populated.start };
        if until - start > RESIDENT_BYTES_MAX {
            let from = start.next_multiple_of(RELEASE_BYTES);
            let keep = at / RELEASE_BYTES * RELEASE_BYTES;
            if from < keep {
                release(map, from as usize, (keep - from) as usize);
            }
            start = at;
        }
        *populated = start..until;
        true
    }
}

#[cfg(target_os = "linux")]
fn advise(map: &memmap2::Mmap, from: usize, len: usize) -> io::Result<()> {
    map.advise_range(memmap2::Advice::PopulateRead, from, len)
}

/// Lets pages go that a walk has passed. They are the file's: whoever comes back reads them anew.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "memmap2 cannot know that this map is shared and read-only")]
fn release(map: &memmap2::Mmap, from: usize, len: usize) {
    // SAFETY: MADV_DONTNEED loses nothing of a shared, read-only map of a file, and no slice of
    // the range is alive: the walk borrows from here, and asked for what lies behind it.
    let released =
        unsafe { map.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, from, len) };
    // Refused, the pages stay resident a little longer.
    drop(released);
}

#[cfg(not(target_os = "linux"))]
fn release(_: &memmap2::Mmap, _: usize, _: usize) {}

#[cfg(not(target_os = "linux"))]
fn advise(_: &memmap2::Mmap, _: usize, _: usize) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Bytes for Source {
    fn bytes(&mut self, at: u64, want: usize) -> io::Result<&[u8]> {
        let len = self.len();
        let (at, to) = (at.min(len), at.saturating_add(want as u64).min(len));
        if at < to
            && !self.populate(at, to)
            && let Self::Mapped { file, forgiving, .. } = self
        {
            *self = Self::window(Arc::clone(file), *forgiving)?;
        }
        match self {
            Self::Mapped { map, populated, .. } => {
                let end = if populated.contains(&at) { populated.end } else { at };
                Ok(&map[at as usize..end as usize])
            }
            Self::Window(window) => window.bytes(at, want),
        }
    }

    fn len(&self) -> u64 {
        match self {
            Self::Mapped { map, .. } => map.len() as u64,
            Self::Window(window) => window.len(),
        }
    }

    fn data_from(&self, at: u64) -> u64 {
        match self {
            Self::Mapped { file, .. } => file.data_from(at),
            Self::Window(window) => window.data_from(at),
        }
    }

    fn shared(&self) -> Option<&Arc<Vec<u8>>> {
        match self {
            Self::Mapped { .. } => None,
            Self::Window(window) => window.shared(),
        }
    }
}
