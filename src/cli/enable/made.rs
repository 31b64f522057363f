//! Remembers which settings files and folders were made here, so that they can go again.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::journal::enclosure::OpenHow;
use crate::journal::{FOLDER, enclosure};

/// A list that was damaged is forgotten: then an empty folder stays.
const BYTES_MAX: u64 = 1 << 20;

/// What was made for the project at `root`, in the order it was made.
pub fn list(root: &Path) -> Vec<PathBuf> {
    let path = file(root);
    let bytes = enclosure::read(&path, BYTES_MAX).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// Sets the list.
///
/// # Errors
/// Where it cannot be written.
pub fn set(root: &Path, made: &[PathBuf]) -> Result<(), CliError> {
    let path = file(root);
    let failed = |source| CliError::io("write", &path, source);
    if made.is_empty() {
        return match enclosure::remove(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        };
    }
    let text = serde_json::to_string_pretty(made).map_err(|error| failed(error.into()))?;
    let temporary = path.with_extension("json.new");
    let mut out = enclosure::open(&temporary, OpenHow::ReadWriteOrCreate).map_err(failed)?;
    out.set_len(0).and_then(|()| out.write_all(text.as_bytes())).map_err(failed)?;
    enclosure::rename(&temporary, &path).map_err(failed)
}

/// Makes the folder of a settings file where it is missing; gives the folders it made.
///
/// # Errors
/// Where one cannot be made.
pub fn folder_of(path: &Path) -> Result<Vec<PathBuf>, CliError> {
    let missing: Vec<_> = path.ancestors().skip(1).take_while(|folder| !folder.exists()).collect();
    let mut made = Vec::new();
    for folder in missing.into_iter().rev() {
        match fs::create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(source) => return Err(CliError::io("make", folder, source)),
            Ok(()) => {
                let given = || {
                    let above = File::open(folder.parent().unwrap_or(folder))?;
                    enclosure::give(File::open(folder)?, above)
                };
                given().map_err(|source| CliError::io("make", folder, source))?;
                made.push(folder.to_owned());
            }
        }
    }
    Ok(made)
}

fn file(root: &Path) -> PathBuf {
    root.join(FOLDER).join("settings-made.json")
}
