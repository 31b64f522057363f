//! Where a file is that a call or an output names: from the project's root.

use std::path::{Component, Path, PathBuf};

/// Folders that hold what others wrote.
const FOREIGN: [&str; 3] = ["site-packages", "node_modules", ".cargo"];
/// Letters of a file's ending at most.
const ENDING_CHARS_MAX: usize = 5;

/// Where files are, seen from a project's root.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    root: &'a Path,
}

impl<'a> Places<'a> {
    pub fn of(root: &'a Path) -> Self {
        Self { root }
    }

    pub fn root(self) -> &'a Path {
        self.root
    }

    /// A path that was named in a folder, from the root where it lies below it. In a folder elsewhere (the
    /// project was moved since, or is a copy) it is told from that folder.
    pub fn placed(self, path: &str, folder: &Path) -> String {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let whole = joined(folder, path);
        let Ok(below) = whole.strip_prefix(self.root) else {
            return whole.strip_prefix(folder).map_or_else(|_| path.to_owned(), text);
        };
        // Tools that know the root of a workspace name files from there, wherever they run.
        let from_root = folder
            .strip_prefix(self.root)
            .is_ok_and(|inner| !inner.as_os_str().is_empty() && Path::new(path).starts_with(inner));
        if from_root { path.to_owned() } else { text(below) }
    }
}

/// A path in a folder, without `.` and `..`.
pub fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

/// Whether a placed path is of the project's own files.
pub fn is_inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    let is_ours = |part: Component<'_>| match part {
        Component::Normal(name) => !FOREIGN.iter().any(|it| name == *it),
        Component::CurDir => true,
        Component::ParentDir | Component::RootDir | Component::Prefix(_) => false,
    };
    !path.is_empty() && !path.starts_with('~') && parts.all(is_ours)
}

/// Whether a word of a command is a file's name: it has an ending, and nothing that a name has not.
pub fn is_file(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_./@+-".contains(c);
    let name = word.rsplit('/').next().unwrap_or_default();
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let is_ending = (1..=ENDING_CHARS_MAX).contains(&ending.chars().count())
        && ending.starts_with(|first: char| first.is_ascii_alphabetic())
        && ending.chars().all(|c| c.is_ascii_alphanumeric());
    !word.starts_with('-') && !stem.is_empty() && is_ending && word.chars().all(plain)
}
