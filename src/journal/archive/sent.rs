//! Moving a segment to where no file can be written: packed here, sent, and read back.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use annals_journal_format::archive::{
    ArchiveError, MANIFEST_BYTES_MAX, ToArchive, Written, data_name, manifest_name, pack,
};
use annals_journal_format::storage::FsStorage;

use super::remote::Store;
use crate::journal::enclosure::{self, OpenHow};
use crate::journal::owner::Held;

/// The folder in `.annals` where a segment is packed that is sent; emptied before and after.
pub(super) const SENDING: &str = "sending";
/// The folder of locks beside it.
const OWNERS: &str = "owners";

/// How long another process that sends a segment is waited for.
const LOCK_WAIT: Duration = Duration::from_secs(120);

/// As [`pack`], to an address. What is there is brought here first and held against the segment; what is not is sent,
/// and nothing is written over: who comes second with other bytes is refused. `anew`: what is there is taken away, once the
/// segment is packed.
pub(super) fn pack_to(
    store: &Store,
    segment: &ToArchive<'_>,
    folder: &Path,
    here: &Path,
    anew: bool,
) -> Result<Written, ArchiveError> {
    // One at a time: who comes second would empty it under the first.
    let owners = here.with_file_name(OWNERS);
    let held = Held::take(&owners, SENDING, LOCK_WAIT).map_err(failed(&owners, "locked"))?;
    let busy =
        || io::Error::new(ErrorKind::WouldBlock, "another process has been sending for long");
    let _held = held.ok_or_else(busy).map_err(failed(here, "used"))?;
    empty(here).map_err(failed(here, "emptied"))?;
    let (data, manifest) = (data_name(&segment.name), manifest_name(&segment.name));
    let bytes_max = enclosure::look(segment.path).map_or(0, |it| it.bytes) * 2 + (1 << 20);
    let there = [(&manifest, MANIFEST_BYTES_MAX), (&data, bytes_max)];
    for (name, bytes_max) in there.into_iter().filter(|_| !anew) {
        let there = folder.join(name);
        match store.get(&there, bytes_max) {
            Err(error) if error.kind() == ErrorKind::NotFound => break,
            file => copy(file.map_err(failed(&there, "read"))?, &here.join(name))
                .map_err(failed(here, "written"))?,
        }
    }
    let written = pack(&FsStorage, segment, here)?;
    if !written.was_there {
        // Without its manifest a segment counts for nothing: whoever reads meanwhile finds it missing, not other.
        for name in [&manifest, &data].into_iter().filter(|_| anew) {
            let path = folder.join(name);
            store.remove(&path).map_err(failed(&path, "removed"))?;
        }
        for name in [&data, &manifest] {
            send(store, &here.join(name), &folder.join(name))?;
        }
    }
    empty(here).map_err(failed(here, "emptied"))?;
    Ok(written)
}

/// As [`pack`], in the place of what lies in a folder: packed beside it first.
pub(super) fn pack_over(segment: &ToArchive<'_>, folder: &Path) -> Result<Written, ArchiveError> {
    let beside = folder.join(format!(".anew.{}", std::process::id()));
    empty(&beside).map_err(failed(&beside, "emptied"))?;
    let written = pack(&FsStorage, segment, &beside);
    let moved = written.and_then(|written| {
        for name in [data_name(&segment.name), manifest_name(&segment.name)] {
            let (from, to) = (beside.join(&name), folder.join(&name));
            enclosure::rename(&from, &to).map_err(failed(&to, "replaced"))?;
        }
        Ok(written)
    });
    // What is left there counts for nothing.
    drop(enclosure::remove_whole(&beside));
    moved
}

/// Sends a file where nothing is yet, and holds what is there against it.
fn send(store: &Store, from: &Path, to: &Path) -> Result<(), ArchiveError> {
    let mut bytes = Vec::new();
    let file = enclosure::open(from, OpenHow::Read);
    file.and_then(|mut it| it.read_to_end(&mut bytes)).map_err(failed(from, "read"))?;
    let (len, hash) = (bytes.len() as u64, blake3::hash(&bytes));
    store.put(to, bytes).map_err(failed(to, "sent"))?;
    let mut hasher = blake3::Hasher::new();
    let there = store.get(to, len).map_err(failed(to, "read back"))?;
    hasher.update_reader(there).map_err(failed(to, "read back"))?;
    match hasher.finalize() == hash {
        true => Ok(()),
        false => Err(ArchiveError::Other { path: to.to_owned() }),
    }
}

fn copy(mut from: File, to: &Path) -> io::Result<()> {
    io::copy(&mut from, &mut enclosure::open(to, OpenHow::CreateNew)?).map(drop)
}

/// What is there was left by a process that was killed.
fn empty(folder: &Path) -> io::Result<()> {
    enclosure::make_folder(folder)?;
    for (name, _) in enclosure::names(folder)? {
        enclosure::remove(&folder.join(name))?;
    }
    Ok(())
}

fn failed(path: &Path, did: &'static str) -> impl FnOnce(io::Error) -> ArchiveError {
    move |source| ArchiveError::Io { path: path.to_owned(), did, source }
}
