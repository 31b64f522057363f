//! What of a project is believed (ruling 19): whose folder it is, which settings its user allowed, and
//! whether its journal was begun by this user or came with a clone.
//!
//! What is remembered lies in the user's state folder, outside of every project, in files that are the
//! user's alone; anything else there is as if it were not.

mod file;
mod known;
pub mod outside;
pub mod seen;
mod settings;
pub mod waiting;
pub mod written;

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use std::{fs, io};

use serde::{Deserialize, Serialize};

use super::{FOLDER, derived_file, enclosure};
use crate::config::environment;
use crate::event::wire::{hex_text as hex, unhex};
use crate::journal::private::{own_file, own_folder};

pub use super::enclosure::owners;
pub use file::{config_at, user_config};
pub use known::{meet, note_begun, note_end};
pub use settings::{Origin, Settings, origin};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    pub root: String,
    device: u64,
    inode: u64,
    /// When it was made, where the file system says so: a number is given again once its folder is gone.
    born_ns: Option<u64>,
    /// The settings there were not written by this user.
    pub is_around_settings: bool,
}

impl Place {
    /// That of the project in this folder; `None` where no journal lies there.
    pub fn of(root: &Path) -> Option<Self> {
        // What cannot be looked up is no folder that could be met again: nothing is remembered of it.
        let root = enclosure::real(root).ok()?;
        let about = fs::symlink_metadata(root.join(FOLDER).join("journal")).ok()?;
        let born = about.created().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()); // not said
        Some(Self {
            root: root.to_string_lossy().into_owned(),
            device: about.dev(),
            inode: about.ino(),
            born_ns: born.and_then(|it| u64::try_from(it.as_nanos()).ok()), // not in our time
            is_around_settings: false,
        })
        .filter(|_| about.is_dir())
    }

    /// Whether it is the same folder, moved or not. A device may have another number after a start of the
    /// machine; its folders stay where they are then.
    pub fn is(&self, other: &Self) -> bool {
        let born = self.born_ns.zip(other.born_ns);
        self.inode == other.inode
            && born.is_none_or(|(one, other)| one == other)
            && (self.device == other.device || self.root == other.root)
    }

    pub fn is_there(&self) -> bool {
        Self::of(Path::new(&self.root)).is_some_and(|there| there.is(self))
    }
}

/// What of a project belongs to somebody else, and the number of that user: its `.annals`, or the folder
/// that this lies in.
pub fn foreign_owner(root: &Path) -> io::Result<Option<(PathBuf, u32)>> {
    let owners = owners();
    for path in [root.to_owned(), root.join(FOLDER)] {
        // Of a link, whose it is and not what it leads to; the folder itself may be reached by one.
        let about =
            match if path == root { fs::metadata(&path) } else { fs::symlink_metadata(&path) } {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                about => about?,
            };
        if !owners.contains(&about.uid()) {
            return Ok(Some((path, about.uid())));
        }
    }
    Ok(None)
}

/// The bytes of a file; none where it, or the folder, is anything but this user's own.
fn read(name: &str, bytes_max: u64) -> Option<Vec<u8>> {
    let folder = environment::state_folder()?;
    let path = folder.join(name);
    // Whatever is wrong with either, nothing was allowed.
    own_folder(&folder).and_then(|()| own_file(&path)).ok()?; // as the line above says
    derived_file::read(&path, bytes_max)
}

/// Whether anything of that name is there.
fn has(name: &str) -> bool {
    let path = environment::state_folder().map(|folder| folder.join(name));
    path.is_some_and(|path| std::fs::symlink_metadata(path).is_ok())
}

/// Where a file of this name is to be written; its folder is there then, and the user's own.
fn place(name: &str) -> io::Result<PathBuf> {
    let folder = environment::state_folder().ok_or_else(|| {
        io::Error::new(io::ErrorKind::NotFound, "there is no home folder: set HOME")
    })?;
    make(&folder)?;
    Ok(folder.join(name))
}

fn make(folder: &Path) -> io::Result<()> {
    enclosure::make_folders(folder)?;
    own_folder(folder)
}

fn remove(name: &str) -> io::Result<bool> {
    let Some(folder) = environment::state_folder() else { return Ok(false) };
    match enclosure::remove(&folder.join(name)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Larger than any that is written.
const BYTES_MAX: u64 = 16 << 10;
const FIRST_LINE: &str = "annals allowed 1";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Of the settings' text, and where it lies: see [`digest`].
    settings: Option<[u8; 32]>,
    /// The journal, by its id.
    journal: Option<[u8; 16]>,
}

impl Allowed {
    /// What was allowed of the project in this folder: nothing, where that cannot be read, or somebody
    /// else could have written it.
    pub fn of(root: &Path) -> Self {
        let bytes = read(&name(root), BYTES_MAX);
        bytes.and_then(|bytes| parse(&bytes)).unwrap_or_default()
    }

    /// That this very text of settings, lying there, counts, and what this journal remembers is given
    /// to agents.
    pub fn all(root: &Path, text: &str, journal: Option<[u8; 16]>) -> Self {
        Self { settings: Some(digest(root, text)), journal }
    }

    fn has_settings(&self, root: &Path, text: &str) -> bool {
        self.settings == Some(digest(root, text))
    }

    fn has_journal(&self, journal: &[u8; 16]) -> bool {
        self.journal.as_ref() == Some(journal)
    }

    pub fn keep(&self, root: &Path) -> io::Result<()> {
        let mut text = format!("{FIRST_LINE}\n");
        for (key, bytes) in [
            ("settings", self.settings.as_ref().map(<[u8; 32]>::as_slice)),
            ("journal", self.journal.as_ref().map(<[u8; 16]>::as_slice)),
        ] {
            if let Some(bytes) = bytes {
                text.push_str(&format!("{key} {}\n", hex(bytes)));
            }
        }
        // For who looks into the folder; never read.
        text.push_str(&format!(
            "root {:?}\n",
            root.to_string_lossy().chars().take(4_096).collect::<String>()
        ));
        derived_file::replace(&place(&name(root))?, text.as_bytes())
    }

    /// Allows nothing of the project in this folder any more; whether something was allowed.
    pub fn withdraw(root: &Path) -> io::Result<bool> {
        remove(&name(root))
    }
}

fn parse(bytes: &[u8]) -> Option<Allowed> {
    let mut lines = std::str::from_utf8(bytes).ok()?.lines(); // no file of ours
    (lines.next() == Some(FIRST_LINE)).then_some(())?;
    let mut allowed = Allowed::default();
    for (key, value) in lines.filter_map(|line| line.split_once(' ')) {
        match key {
            "settings" => allowed.settings = Some(unhex(value)?),
            "journal" => allowed.journal = Some(unhex(value)?),
            _ => {}
        }
    }
    Some(allowed)
}

/// Another folder's settings are others, though they read the same: what they run lies there.
fn digest(root: &Path, text: &str) -> [u8; 32] {
    let mut hash = blake3::Hasher::new_derive_key("annals allowed settings v1");
    let root = root.as_os_str().as_encoded_bytes();
    hash.update(&(root.len() as u64).to_le_bytes()).update(root).update(text.as_bytes());
    *hash.finalize().as_bytes()
}

fn name(root: &Path) -> String {
    let root = root.as_os_str().as_encoded_bytes();
    format!("allowed-{}", hex(&blake3::derive_key("annals allowed name v1", root)[..16]))
}

#[cfg(test)]
mod tests;
