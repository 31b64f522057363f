//! The projects that wait to be sent off the machine: a session's end notes them here, and whoever sends takes them away.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::{hex, place, read, remove};
use crate::config::environment;
use crate::journal::{derived_file, enclosure};

const PREFIX: &str = "waiting-";
const PATH_BYTES_MAX: u64 = 4_096;

/// A project that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub root: PathBuf,
    name: String,
    /// Which file says so, and since when, Unix milliseconds.
    identity: (u64, u64),
    pub since_ms: u64,
}

/// Notes that a project waits: twice is once.
///
/// # Errors
/// Where nothing can be remembered.
pub fn note(root: &Path) -> io::Result<()> {
    let real = enclosure::real(root)?;
    let bytes = real.as_os_str().as_bytes();
    let place_of = blake3::derive_key("annals waiting project v1", bytes);
    derived_file::replace(&place(&format!("{PREFIX}{}", hex(&place_of[..16])))?, bytes)
}

/// Those that wait, by their folders.
///
/// # Errors
/// Where the user's state folder cannot be listed.
pub fn all() -> io::Result<Vec<Waiting>> {
    let Some(folder) = environment::state_folder() else { return Ok(Vec::new()) };
    let names = match enclosure::names(&folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        names => names?,
    };
    let mut all: Vec<_> = names.into_iter().filter_map(|(name, _)| waiting(&name)).collect();
    all.sort_by(|one, other| one.root.cmp(&other.root));
    Ok(all)
}

fn waiting(name: &OsStr) -> Option<Waiting> {
    let name = name.to_str().filter(|it| it.starts_with(PREFIX))?;
    let root = PathBuf::from(OsStr::from_bytes(&read(name, PATH_BYTES_MAX)?));
    let path = environment::state_folder()?.join(name);
    let look = enclosure::look(&path).ok()?; // it went meanwhile
    let about = fs::symlink_metadata(&path).ok()?; // as above
    let since = about.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()); // not said
    let since_ms = since.map_or(u64::MAX, |it| it.as_millis() as u64);
    let (name, identity) = (name.to_owned(), look.identity);
    root.is_absolute().then_some(Waiting { root, name, identity, since_ms })
}

impl Waiting {
    /// It was sent. Where a session ended meanwhile it waits on.
    pub fn take(&self) -> io::Result<()> {
        let Some(folder) = environment::state_folder() else { return Ok(()) };
        match enclosure::look(&folder.join(&self.name)) {
            Ok(look) if look.identity == self.identity => remove(&self.name).map(drop),
            // Another one, or none that can be looked at: it waits on.
            _ => Ok(()),
        }
    }
}
