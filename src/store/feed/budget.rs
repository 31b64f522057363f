//! A bound on what a journal that somebody handed over may cost in the cache: a few megabytes can be made
//! to tell of gigabytes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::{fs, io};

use super::FeedError;

/// What stores may come to however small the journal, and for each of its bytes.
const BYTES_MIN: u64 = 128 << 20;
const BYTES_PER_BYTE: u64 = 32;
/// So many steps, or bytes of content, are fed between two looks at the folder.
const STEPS: u64 = 256;
const CONTENT_BYTES: u64 = 8 << 20;

pub(in crate::store) struct Budget {
    folder: PathBuf,
    pub bytes_max: u64,
    steps: AtomicU64,
    content_bytes: AtomicU64,
    is_over: AtomicBool,
}

#[derive(Debug, thiserror::Error)]
#[error("the stores made of it come to more than {bytes_max} bytes")]
struct OverBudget {
    bytes_max: u64,
}

impl Budget {
    /// For stores in `folder`, made of a journal of so many bytes.
    pub fn of(folder: &Path, journal_bytes: u64) -> Self {
        let bytes_max = BYTES_MIN.saturating_add(journal_bytes.saturating_mul(BYTES_PER_BYTE));
        let (steps, content_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        let (folder, is_over) = (folder.to_owned(), AtomicBool::new(false));
        Self { folder, bytes_max, steps, content_bytes, is_over }
    }

    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub fn spend(&self, content_bytes: usize) {
        self.content_bytes.fetch_add(content_bytes as u64, Ordering::Relaxed);
    }

    pub fn look(&self) -> Result<(), FeedError> {
        let due = self.steps.fetch_add(1, Ordering::Relaxed).is_multiple_of(STEPS)
            || self.content_bytes.load(Ordering::Relaxed) > CONTENT_BYTES;
        if due {
            self.content_bytes.store(0, Ordering::Relaxed);
            // What cannot be measured now can be the next time.
            let bytes = bytes_in(&self.folder).unwrap_or(0);
            if bytes > self.bytes_max {
                self.is_over.store(true, Ordering::Relaxed);
            }
        }
        match self.is_over() {
            true => {
                let source = Box::new(OverBudget { bytes_max: self.bytes_max });
                Err(FeedError { source })
            }
            false => Ok(()),
        }
    }
}

pub(in crate::store) fn bytes_in(root: &Path) -> io::Result<u64> {
    let (mut bytes, mut folders) = (0, vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let about = entry.metadata()?;
            bytes += about.len();
            if about.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(bytes)
}
