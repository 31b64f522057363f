//! Files that a person has written from a journal: each such command says so here, so that `redact` looks there.

use std::path::Path;

use super::{Context, shown};
use crate::journal::trust::written;
use crate::journal::{JournalReader, Source};

/// Remembers a file or folder that is about to be written from these journals.
pub fn remember(sources: &[Source], what: &str, path: &Path, context: &mut Context) {
    for source in sources {
        // One that cannot be read is told by who reads it.
        let reading = source.reading(context.evidence);
        let Ok(reader) = JournalReader::reading(&source.journal, reading) else { continue };
        note(&reader.id(), what, path, context);
    }
}

/// As [`remember`], of one journal by its id.
pub fn note(journal: &[u8; 16], what: &str, path: &Path, context: &mut Context) {
    if let Err(error) = written::note(journal, what, path) {
        let path = shown(path);
        context.output.note(format_args!(
            "{path} is not remembered ({error}): `annals redact` will not look there by itself"
        ));
    }
}
