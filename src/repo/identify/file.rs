//! A file of git's, read whole: a regular one, of bounded size.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

use super::super::RepoError;
use super::super::limits::GIT_FILE_BYTES_MAX;

/// The file's bytes; `None` where there is none. Links are followed: tools that keep many trees of one
/// repository link `.git/config`. A pipe that nobody writes to is not waited for.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, RepoError> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if is_absent(&error) => return Ok(None),
        Err(source) => return Err(RepoError::GitFile { path: path.to_owned(), source }),
    };
    let mut bytes = Vec::new();
    let read = file.metadata().and_then(|about| {
        if !about.is_file() {
            return Ok(false);
        }
        file.take(GIT_FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map(|_| true)
    });
    let why = match read {
        Err(source) => return Err(RepoError::GitFile { path: path.to_owned(), source }),
        Ok(false) => "it is no file",
        Ok(true) if bytes.len() as u64 > GIT_FILE_BYTES_MAX => "it is larger than 1 MiB",
        Ok(true) => return Ok(Some(bytes)),
    };
    Err(RepoError::GitText { path: path.to_owned(), why })
}

fn open(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed();
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Whether there is nothing by this name: also where a file stands for a folder on the way, or the name
/// is none that could exist.
pub(super) fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory | InvalidInput | InvalidFilename)
}
