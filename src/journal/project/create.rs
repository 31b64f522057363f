//! Folders 0700 and files 0600, made where they are missing.

use std::fs::Permissions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::ProjectError;
use crate::journal::enclosure;
use crate::journal::enclosure::OpenHow;

/// Makes a folder; one that is there already is closed to others.
pub(super) fn folder(path: &Path) -> Result<(), ProjectError> {
    let failed = |did| move |source| ProjectError::Folder { path: path.to_owned(), did, source };
    let made =
        enclosure::make_folder(path).map_err(|source| match enclosure::is_in_the_way(&source) {
            true => ProjectError::InTheWay { path: path.to_owned() },
            false => failed("made")(source),
        });
    match made? {
        true => Ok(()),
        false => enclosure::folder(path)
            .and_then(|folder| folder.set_permissions(Permissions::from_mode(0o700)))
            .map_err(failed("closed to others")),
    }
}

/// Writes the settings where nothing is in their place. Says whether it did.
pub(super) fn settings(path: &Path, text: &str) -> Result<bool, ProjectError> {
    match path.symlink_metadata() {
        // Whatever it is: what cannot be read there is left out, and told.
        Ok(_) => Ok(false),
        Err(_) => file(path, text),
    }
}

/// Writes a file that is not there yet; one that is keeps what it holds. Says whether it did.
pub(super) fn file(path: &Path, text: &str) -> Result<bool, ProjectError> {
    let failed = |source| ProjectError::Folder { path: path.to_owned(), did: "written", source };
    match enclosure::open(path, OpenHow::CreateNew) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            enclosure::open(path, OpenHow::Read).map(|_| false).map_err(failed)
        }
        Err(source) => Err(failed(source)),
    }
}
