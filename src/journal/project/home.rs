//! Whether a journal lies where it was made: a copy, or a project that moved, lies elsewhere.

use std::io;
use std::path::Path;

use crate::event::{Body, Sequence};
use crate::journal::enclosure::OpenHow;
use crate::journal::{JournalReader, enclosure};

/// Whether the journal's first event names this root. Where it cannot be read nothing says so.
pub(super) fn is_of(root: &Path, journal: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return false };
    let Ok(Some(first)) = JournalReader::open(journal).and_then(|it| it.get(Sequence(1))) else {
        return false;
    };
    match first.event.body {
        Body::JournalCreated(created) => created.root == root.to_string_lossy(),
        _ => false,
    }
}

/// Makes what a journal holds durable, and changes nothing of it.
pub(super) fn flush(journal: &Path) -> io::Result<()> {
    for (name, _) in enclosure::names(journal)? {
        if Path::new(&name).extension().is_some_and(|it| it == "seg") {
            enclosure::open(&journal.join(name), OpenHow::Read)?.sync_data()?;
        }
    }
    Ok(())
}
