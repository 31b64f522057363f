//! Folders 0700 and files 0600, made where they are missing.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use super::ProjectError;

/// Makes a folder; one that is there already is closed to others.
pub(super) fn folder(path: &Path) -> Result<(), ProjectError> {
    let failed = |did| move |source| ProjectError::Folder { path: path.to_owned(), did, source };
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            // Not followed: what a link points to is not ours to close.
            let about = fs::symlink_metadata(path).map_err(failed("looked at"))?;
            if !about.is_dir() {
                return Err(ProjectError::InTheWay { path: path.to_owned() });
            }
            fs::set_permissions(path, Permissions::from_mode(0o700))
                .map_err(failed("closed to others"))
        }
        Err(source) => Err(failed("made")(source)),
    }
}

/// Writes a file that is not there yet; one that is keeps what it holds. Says whether it did.
pub(super) fn file(path: &Path, text: &str) -> Result<bool, ProjectError> {
    let failed = |source| ProjectError::Folder { path: path.to_owned(), did: "written", source };
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Ok(mut file) => file.write_all(text.as_bytes()).map(|()| true).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(source) => Err(failed(source)),
    }
}
