//! Where an archive is: a folder, or an address.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) use annals_journal_format::archive::address;
use annals_journal_format::archive::{ArchiveError, Note};

use super::MoveError;
use super::remote::{self, Store};
use crate::event::wire::hex_text;
use crate::journal::enclosure::{self, Kind};

/// Holds that a place is a folder's name, or an address that this build reaches.
pub(super) fn must_be_known(to: &Path) -> Result<(), MoveError> {
    let text = to.to_string_lossy();
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    let what = match scheme {
        Some(_) if address(to).is_some() => match remote::refusal(&text) {
            Some(what) => what.to_owned(),
            None => return Ok(()),
        },
        Some(scheme) if scheme.bytes().all(|it| it.is_ascii_alphanumeric()) && !to.exists() => {
            format!("{scheme}:// is no kind of archive: name a folder, or s3://BUCKET/PREFIX")
        }
        _ => return Ok(()),
    };
    Err(MoveError::Refused { what })
}

/// The store that an archive is in; `None`: it is a folder. `patience`: how long it is asked again where it is away or busy.
pub(super) fn store(folder: &Path, patience: Option<Duration>) -> Result<Option<Store>, MoveError> {
    let failed = |source| ArchiveError::Io { path: folder.to_owned(), did: "reached", source };
    Ok(address(folder).map(|it| Store::patient(it, patience)).transpose().map_err(failed)?)
}

/// A journal's own place at an address.
fn within(address: &str, journal: &[u8; 16]) -> PathBuf {
    let (address, own) = (address.trim_end_matches('/'), hex_text(journal));
    match address.ends_with(&format!("/{own}")) {
        true => PathBuf::from(address),
        false => PathBuf::from(format!("{address}/{own}")),
    }
}

/// A journal's own folder in an archive, made where it is missing, by its real name.
pub(super) fn made(
    to: &Path,
    journal: &[u8; 16],
    journal_dir: &Path,
) -> Result<PathBuf, MoveError> {
    must_be_known(to)?;
    if let Some(address) = address(to) {
        return Ok(within(address, journal));
    }
    let io = |did| move |source| ArchiveError::Io { path: to.to_owned(), did, source };
    enclosure::make_folders(to).map_err(io("made"))?;
    let real = to.canonicalize().map_err(io("found"))?;
    // One that is not there is no folder that anything lies in.
    if journal_dir.canonicalize().is_ok_and(|dir| real.starts_with(dir)) {
        let what = "an archive in the journal's own folder keeps nothing elsewhere".to_owned();
        return Err(MoveError::Refused { what });
    }
    let folder = real.join(hex_text(journal));
    if !Note::takes(&folder) {
        let what = format!("{} is no name that can be noted in a line of text", folder.display());
        return Err(MoveError::Refused { what });
    }
    let failed = |source| ArchiveError::Io { path: folder.clone(), did: "made", source };
    match enclosure::look(&folder) {
        Ok(look) if look.kind == Kind::Folder => {}
        Ok(look) => {
            let what = format!("{} is a {}, and no folder", folder.display(), look.kind.as_str());
            return Err(MoveError::Refused { what });
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            enclosure::make_folder(&folder).map_err(failed)?;
            let synced = enclosure::folder(&real).and_then(|it| it.sync_all());
            synced.map_err(failed)?;
        }
        Err(error) => return Err(failed(error).into()),
    }
    Ok(folder)
}

/// A journal's folder in an archive that is there: named itself, or the one that has it.
pub(super) fn found(from: &Path, journal: &[u8; 16]) -> Result<PathBuf, MoveError> {
    must_be_known(from)?;
    if let Some(address) = address(from) {
        return Ok(within(address, journal));
    }
    // As the event names it, whoever reads that wherever.
    let from = from.canonicalize().unwrap_or_else(|_| from.to_owned()); // told by who reads there
    let inner = from.join(hex_text(journal));
    Ok(if inner.is_dir() { inner } else { from })
}
