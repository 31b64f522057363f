//! Linked working trees of git's: they share one repository, so they share the journal of its main tree.

use std::path::{Path, PathBuf};

use super::{FOLDER, git};
use crate::journal::enclosure;

/// A working tree that `git worktree add` made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worktree {
    /// Its top folder.
    pub top: PathBuf,
    /// Git's folder, which all working trees of the repository share.
    pub common: PathBuf,
}

impl Worktree {
    /// The linked working tree that a canonical folder lies in. What its `.git` says counts only where the
    /// repository knows of it: a stranger's folder may name anybody's repository.
    pub fn of(start: &Path) -> Option<Self> {
        let top = start.ancestors().find(|it| it.join(".git").symlink_metadata().is_ok())?;
        let dot_git = top.join(".git");
        // What cannot be read links nothing.
        let (own, common) = git::linked(&dot_git).ok()??;
        let back = git::text(&own.join("gitdir")).ok()?; // the same
        let back = own.join(back.trim()).canonicalize().ok()?; // the same
        // Only what lies in the repository's own folder is its word.
        let is_its_own = own.canonicalize().ok()?.parent() == Some(&common.join("worktrees")); // the same
        (back == dot_git && is_its_own).then(|| Self { top: top.to_owned(), common })
    }

    /// The main working tree; a bare repository has none.
    fn main(&self) -> Option<&Path> {
        self.common.parent().filter(|_| self.common.file_name().is_some_and(|it| it == ".git"))
    }

    /// The same folder in the main working tree.
    fn in_main(&self, folder: &Path) -> Option<PathBuf> {
        Some(self.main()?.join(folder.strip_prefix(&self.top).ok()?)) // one that lies above it is in none
    }

    /// A project's root in this working tree.
    fn here(&self, root: &Path) -> Option<PathBuf> {
        let below = root.strip_prefix(self.main()?).ok()?; // a project elsewhere is not here
        Some(self.top.join(below)).filter(|it| it.is_dir())
    }
}

/// The root of the nearest project at or above a canonical folder: in its own working tree first, then in the
/// main one of the same repository.
pub fn root(start: &Path) -> Option<PathBuf> {
    let worktree = Worktree::of(start);
    let is_root = |it: &PathBuf| it.join(FOLDER).is_dir();
    let main = |folder: &Path| worktree.as_ref().and_then(|it| it.in_main(folder)).filter(is_root);
    start.ancestors().find_map(|it| Some(it.to_owned()).filter(is_root).or_else(|| main(it)))
}

/// The project of a folder that is none itself: the main working tree's.
pub fn main_root(folder: &Path) -> Option<PathBuf> {
    let folder = enclosure::real(folder).ok()?; // what is not there is in no working tree
    let main = Worktree::of(&folder)?.in_main(&folder)?;
    Some(main).filter(|it| it.join(FOLDER).is_dir())
}

/// What a project's root is in the linked working tree that a folder lies in, if it lies in one.
pub fn tree(root: &Path, start: &Path) -> Option<PathBuf> {
    let start = enclosure::real(start).ok()?; // what is not there is in no working tree
    let root = enclosure::real(root).ok()?; // the same
    Worktree::of(&start)?.here(&root)
}
