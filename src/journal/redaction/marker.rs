//! The file that says at no cost that a redaction was begun and has not ended.

use std::path::PathBuf;

use super::RedactionError;
use crate::event::OrderId;
use crate::journal::enclosure::{self, OpenHow};
use crate::journal::{Project, derived_file};

const NAME: &str = "redaction";

fn path(project: &Project) -> PathBuf {
    project.annals_dir().join(NAME)
}

/// Whether a redaction may have been begun that has not ended: what an opening has to carry out. Where the marker
/// was lost, verifying finds what is left to do.
pub fn is_unfinished(project: &Project) -> bool {
    enclosure::look(&path(project)).is_ok()
}

/// On disk when it returns: a redaction that nobody knows to be unfinished would never be.
pub(super) fn put(project: &Project, order: OrderId) -> Result<(), RedactionError> {
    let path = path(project);
    let put = || {
        derived_file::replace(&path, format!("annals redaction 1\n{order}\n").as_bytes())?;
        enclosure::open(&path, OpenHow::Read)?.sync_all()?;
        enclosure::folder(&project.annals_dir())?.sync_all()
    };
    put().map_err(|source| RedactionError::Io { path: path.clone(), did: "written", source })
}

/// Says that all that was ordered is done: frames, blobs, stores, and whatever else was written.
pub fn end(project: &Project) -> Result<(), RedactionError> {
    let path = path(project);
    match enclosure::remove(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(|source| RedactionError::Io { path, did: "removed", source }),
    }
}
