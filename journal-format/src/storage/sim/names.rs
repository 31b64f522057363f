//! Names and folders of the simulated disk: durable only after the folder was synced.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{NamesLeft, Random};

/// A change of a name that its folder's next sync makes durable.
#[derive(Clone, Debug)]
enum Change {
    Create { path: PathBuf, inode: u64 },
    Rename { from: PathBuf, to: PathBuf, inode: u64 },
    Remove { path: PathBuf },
    Folder { path: PathBuf },
}

impl Change {
    fn is_in(&self, folder: &Path) -> bool {
        let lies = |path: &Path| path.parent() == Some(folder);
        match self {
            Self::Create { path, .. } | Self::Remove { path } | Self::Folder { path } => lies(path),
            Self::Rename { from, to, .. } => lies(from) || lies(to),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Tree {
    files: BTreeMap<PathBuf, u64>,
    folders: BTreeSet<PathBuf>,
}

impl Tree {
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Create { path, inode } => {
                self.files.insert(path.clone(), *inode);
            }
            Change::Rename { from, to, inode } => {
                if self.files.get(from) == Some(inode) {
                    self.files.remove(from);
                }
                self.files.insert(to.clone(), *inode);
            }
            Change::Remove { path } => {
                self.files.remove(path);
            }
            Change::Folder { path } => {
                self.folders.insert(path.clone());
            }
        }
    }

    fn has_folder(&self, folder: &Path) -> bool {
        folder.parent().is_none() || self.folders.contains(folder)
    }
}

/// All names: as processes see them, as the disk holds them, and the changes between.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    seen: Tree,
    durable: Tree,
    pending: Vec<Change>,
}

impl Names {
    pub(super) fn inode(&self, path: &Path) -> Option<u64> {
        self.seen.files.get(path).copied()
    }

    pub(super) fn has_folder(&self, folder: &Path) -> bool {
        self.seen.has_folder(folder)
    }

    pub(super) fn links(&self, inode: u64) -> u64 {
        self.seen.files.values().filter(|named| **named == inode).count() as u64
    }

    pub(super) fn files(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.seen.files.iter().map(|(path, inode)| (path.as_path(), *inode))
    }

    pub(super) fn list(&self, folder: &Path) -> Vec<String> {
        let in_folder = self.seen.files.keys().filter(|path| path.parent() == Some(folder));
        in_folder.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
    }

    pub(super) fn create(&mut self, path: &Path, inode: u64) {
        self.change(Change::Create { path: path.to_owned(), inode });
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path, inode: u64) {
        self.change(Change::Rename { from: from.to_owned(), to: to.to_owned(), inode });
    }

    pub(super) fn remove(&mut self, path: &Path) {
        self.change(Change::Remove { path: path.to_owned() });
    }

    /// Makes a folder and its parents; returns those that were not there, the topmost first.
    pub(super) fn create_folder(&mut self, folder: &Path) -> Vec<PathBuf> {
        let missing = folder.ancestors().filter(|path| !self.has_folder(path));
        let mut missing: Vec<_> = missing.map(Path::to_owned).collect();
        missing.reverse();
        for path in &missing {
            self.change(Change::Folder { path: path.clone() });
        }
        missing
    }

    fn change(&mut self, change: Change) {
        self.seen.apply(&change);
        self.pending.push(change);
    }

    pub(super) fn sync(&mut self, folder: &Path) {
        let durable = &mut self.durable;
        self.pending.retain(|change| {
            let now = change.is_in(folder);
            if now {
                durable.apply(change);
            }
            !now
        });
    }

    /// The names after power loss.
    pub(super) fn after_crash(&self, left: NamesLeft, random: &mut Random) -> Self {
        let mut tree = self.durable.clone();
        let count = random.below(self.pending.len() as u64 + 1) as usize;
        for (index, change) in self.pending.iter().enumerate() {
            let survives = match left {
                NamesLeft::Nothing => false,
                NamesLeft::All => true,
                NamesLeft::Prefix => index < count,
                NamesLeft::Subset => random.coin(),
            };
            if survives {
                tree.apply(change);
            }
        }
        let folders = tree.folders.clone();
        let reachable = |path: &Path| {
            path.ancestors().skip(1).all(|at| at.parent().is_none() || folders.contains(at))
        };
        tree.files.retain(|path, _| reachable(path));
        tree.folders.retain(|path| reachable(path));
        Self { seen: tree.clone(), durable: tree, pending: Vec::new() }
    }
}
