//! What opening a journal for writing would find and mend at its tail: it is tried on a copy.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::thread;
use std::time::Duration;

use annals_journal_format::limits::HEADER_PAGE_BYTES;
use annals_journal_format::lock::LOCK_NAME;
use annals_journal_format::writer::OpenError;

use super::{Journal, JournalError, JournalOptions, Recovery};
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// A writer holds the lock for the time of one append.
const TRIES_MAX: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// What [`Journal::open`] would give for the journal in `dir`, of which nothing is changed: `aside` is an
/// empty folder of the caller's own. Only the newest segment is copied whole; of the others a writer
/// reads no more than the first page.
pub fn rehearse(
    dir: &Path,
    aside: &Path,
    entropy: &[u8; 48],
    options: JournalOptions,
) -> Result<Vec<Recovery>, JournalError> {
    copy(dir, aside).map_err(|source| {
        let source = OpenError::Io { doing: "copy", path: dir.to_owned(), source };
        JournalError::Open { dir: dir.to_owned(), source }
    })?;
    Journal::open(aside, entropy, options).map(|(_, recoveries)| recoveries)
}

fn copy(dir: &Path, aside: &Path) -> io::Result<()> {
    // While this lives nobody is in the middle of an append.
    let _lock = held(&dir.join(LOCK_NAME))?;
    let names = enclosure::names(dir)?.into_iter().map(|(name, _)| name);
    let mut segments: Vec<_> =
        names.filter(|name| Path::new(name).extension().is_some_and(|it| it == "seg")).collect();
    segments.sort();
    let newest = segments.pop();
    for name in segments {
        copy_file(&dir.join(&name), &aside.join(&name), HEADER_PAGE_BYTES)?;
    }
    for name in newest.into_iter().chain([LOCK_NAME.into()]) {
        match copy_file(&dir.join(&name), &aside.join(&name), u64::MAX) {
            Err(error) if is_no_lock(&error) => {}
            copied => copied?,
        }
    }
    Ok(())
}

fn copy_file(from: &Path, to: &Path, bytes_max: u64) -> io::Result<()> {
    let mut from = enclosure::open(from, OpenHow::Read)?.take(bytes_max);
    io::copy(&mut from, &mut enclosure::open(to, OpenHow::CreateNew)?).map(drop)
}

/// Whether there is none, or nothing that anybody can have locked.
fn is_no_lock(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound || enclosure::is_in_the_way(error)
}

/// The lock, shared; none where there is none, or somebody holds it all the time: what is copied then
/// may end in the middle of an append.
fn held(path: &Path) -> io::Result<Option<File>> {
    let file = match enclosure::open(path, OpenHow::Read) {
        Err(error) if is_no_lock(&error) => return Ok(None),
        opened => opened?,
    };
    for _ in 0..TRIES_MAX {
        if fs2::FileExt::try_lock_shared(&file).is_ok() {
            return Ok(Some(file));
        }
        thread::sleep(PAUSE);
    }
    Ok(None)
}
