//! What lies where annals has a folder of its own and is none: a file, a link, a pipe. Nothing can be put
//! there, and nothing of it is opened.

use std::io;
use std::path::{Path, PathBuf};

use crate::journal::enclosure;
use crate::journal::enclosure::{Kind, Look, owners};

/// Folders below `.annals` that are no stores: of what is a store the store's own state tells.
const FOLDERS: [&str; 9] = [
    "building",
    "debug-exports",
    "journal/blobs",
    "journal/quarantine",
    "owners",
    "packs",
    "quarantine",
    "sessions",
    "stamps",
];
/// Numbers tried for a free name before giving up.
const NAMES_MAX: u32 = 1_000;

/// What lies where annals has a folder.
#[derive(Clone, Debug)]
pub struct InTheWay {
    pub path: PathBuf,
    pub kind: Kind,
    owner: u32,
}

impl InTheWay {
    /// All that lies in the way below this `.annals`.
    pub fn all(annals: &Path) -> Vec<Self> {
        FOLDERS.iter().filter_map(|name| Self::at(annals.join(name))).collect()
    }

    /// What lies in the place of one folder; `None` where that is one, or nothing is there.
    pub fn at(path: PathBuf) -> Option<Self> {
        // What cannot be looked at is told by whoever opens it.
        let Look { kind, owner, .. } = enclosure::look(&path).ok()?;
        (kind != Kind::Folder).then_some(Self { path, kind, owner })
    }

    /// Whether it is another user's: then it is not moved.
    pub fn is_foreign(&self) -> bool {
        !owners().contains(&self.owner)
    }

    /// What is wrong, and for whom.
    pub fn told(&self) -> String {
        let (path, kind) = (self.path.display(), self.kind.as_str());
        match self.is_foreign() {
            true => format!("{path} is {kind} of another user (uid {}): move it away", self.owner),
            false => format!("{path} is {kind} where a folder belongs"),
        }
    }

    /// Gives it a name beside, whatever it leads to; answers which.
    pub fn move_aside(&self) -> io::Result<PathBuf> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        for number in 1..=NAMES_MAX {
            let aside = self.path.with_file_name(format!("{name}.aside.{number}"));
            match enclosure::rename_new(&self.path, &aside) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                moved => return moved.map(|()| aside),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "a thousand names beside it are taken"))
    }
}
