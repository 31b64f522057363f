//! Where the key lies, and the public lines of those that there were.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::epochs::EpochsKey;
use super::locked::LockedKey;
use super::public::PublicKey;
use super::secret::{Key, SecretKey};
use super::{Sign, TlogError};
use crate::config::environment;
use crate::journal::enclosure::OpenHow;
use crate::journal::private::{own_file, own_folder};
use crate::journal::tlog::note::Note;
use crate::journal::{derived_file, enclosure};

const FILE_BYTES_MAX: u64 = 4 << 10;
/// Of the leaves of a key that changes by itself.
const LEAVES_BYTES_MAX: u64 = 32 << 16;

/// Where a user's keys lie.
#[derive(Clone, Debug)]
pub struct Keys {
    folder: PathBuf,
}

impl Keys {
    /// `None` where the user has no home.
    pub fn of_user() -> Option<Self> {
        Some(Self { folder: environment::config_folder()? })
    }

    pub fn path(&self) -> PathBuf {
        self.folder.join("signing.key")
    }

    fn publics_path(&self) -> PathBuf {
        self.folder.join("signing.pub")
    }

    fn leaves_path(&self) -> PathBuf {
        self.folder.join("signing.epochs")
    }

    /// The key that signs; `None` where none was made. One that changes by itself is the one of now from then on.
    ///
    /// # Errors
    /// Where its file could be read or written by others.
    pub fn key(&self) -> Result<Option<Key>, TlogError> {
        let path = self.path();
        let bad = |what| TlogError::Key { path: path.clone(), what };
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            _ => {}
        }
        let own = own_folder(&self.folder).and_then(|()| own_file(&path));
        own.map_err(|_| bad("others could read or write it; it must be your own, with mode 0600"))?;
        let bytes = enclosure::read(&path, FILE_BYTES_MAX);
        let bytes = bytes.map_err(|source| self.io(&path, "read", source))?;
        let leaves = derived_file::read(&self.leaves_path(), LEAVES_BYTES_MAX);
        let text = std::str::from_utf8(&bytes).ok(); // as told
        let key = text.and_then(|text| Key::parse(text, leaves));
        let key = key.ok_or_else(|| bad("it is not what annals key new writes"))?;
        let Some(evolved) = key.evolved() else { return Ok(Some(key)) };
        // The one before is gone before the one of now signs.
        self.put(&evolved)?;
        Ok(Some(evolved))
    }

    /// Every public key that this user's checkpoints were signed with, the newest last.
    pub fn publics(&self) -> Vec<PublicKey> {
        // Where none is listed there is none.
        let text = enclosure::read(&self.publics_path(), 1 << 20).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        text.lines().filter_map(PublicKey::parse).collect()
    }

    /// Keeps a key where there is none.
    pub fn make(&self, key: &Key) -> Result<(), TlogError> {
        if self.key()?.is_some() {
            let path = self.path();
            let what =
                format!("{} is there already: annals key rotate makes another", path.display());
            return Err(TlogError::Refused { what });
        }
        self.write(key)
    }

    /// Puts a new key in the place of the one there is; gives a note, signed by both, that says so.
    pub fn rotate(&self, old: &dyn Sign, new: &dyn Sign, kept: &Key) -> Result<Note, TlogError> {
        let text = format!("annals key rotation\n{}\n{}\n", old.public(), new.public());
        let mut note = old.sign(text.clone())?;
        note.signatures.extend(new.sign(text)?.signatures);
        self.write(kept)?;
        Ok(note)
    }

    fn write(&self, key: &Key) -> Result<(), TlogError> {
        let made = enclosure::make_folders(&self.folder).and_then(|_| own_folder(&self.folder));
        made.map_err(|source| self.io(&self.folder, "made", source))?;
        if let Key::Epochs(key) = key {
            let path = self.leaves_path();
            let kept = derived_file::replace(&path, &key.leaves.concat());
            kept.map_err(|source| self.io(&path, "written", source))?;
        }
        self.put(key)?;
        if !matches!(key, Key::Epochs(_)) {
            let path = self.leaves_path();
            match enclosure::remove(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(self.io(&path, "removed", error));
                }
                _ => {}
            }
        }
        let public = format!("{}\n", key.public());
        let listed = enclosure::append(&self.publics_path());
        let listed = listed.and_then(|mut it| it.write_all(public.as_bytes()));
        listed.map_err(|source| self.io(&self.publics_path(), "written", source))
    }

    /// Puts a key in its file, and zeros over the one that was there.
    fn put(&self, key: &Key) -> Result<(), TlogError> {
        let path = self.path();
        let temporary = self.folder.join(".new-signing.key");
        let written = || {
            match enclosure::remove(&temporary) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                removed => removed?,
            }
            let mut file = enclosure::open(&temporary, OpenHow::CreateNew)?;
            file.write_all(key.text().as_bytes())?;
            file.sync_all()?;
            let before = match enclosure::open(&path, OpenHow::ReadWrite) {
                Err(error) if error.kind() == ErrorKind::NotFound => None,
                before => Some(before?),
            };
            enclosure::rename(&temporary, &path)?;
            let Some(mut before) = before else { return Ok(()) };
            let length = before.metadata()?.len().min(FILE_BYTES_MAX);
            before.write_all(&vec![0; length as usize])?;
            before.sync_all()
        };
        written().map_err(|source| self.io(&path, "written", source))
    }

    fn io(&self, path: &Path, did: &'static str, source: io::Error) -> TlogError {
        TlogError::Io { path: path.to_owned(), did, source }
    }
}

/// What kind of key is made.
#[derive(Clone, Copy, Debug)]
pub enum NewKey<'a> {
    Open,
    Passphrase(&'a [u8]),
    /// One that changes after so many days.
    Epochs(u32),
}

/// A new key: how it signs, and how it is kept.
pub fn generate(name: &str, how: NewKey<'_>) -> Result<(Box<dyn Sign>, Key), TlogError> {
    let key = SecretKey::generate(name);
    let again = || SecretKey { name: key.name.clone(), key: key.key.clone() };
    Ok(match how {
        NewKey::Open => (Box::new(again()), Key::Open(key)),
        NewKey::Passphrase(passphrase) => {
            let kept = Key::Locked(LockedKey::of(&key, passphrase)?);
            (Box::new(key), kept)
        }
        NewKey::Epochs(days) => {
            let made = EpochsKey::generate(name, days);
            (Box::new(made.clone()), Key::Epochs(made))
        }
    })
}
