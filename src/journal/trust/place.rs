//! Where a journal lies: its folder, told from any other that has the same name or the same bytes.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::journal::FOLDER;

/// A journal's folder, as it was met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// The project's folder.
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
        let root = root.canonicalize().ok()?; // as above
        let about = fs::symlink_metadata(root.join(FOLDER).join("journal")).ok()?; // as above
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

    /// Whether the folder is still where it was met.
    pub fn is_there(&self) -> bool {
        Self::of(Path::new(&self.root)).is_some_and(|there| there.is(self))
    }
}
