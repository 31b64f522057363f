//! Where Codex keeps its sessions, and which of them are a project's.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::sniff::beginning;
use crate::agents::import::source_file::{SourceFile, transcripts_in};

/// The folders of Codex's own in which rollouts lie, by day and archived.
const FOLDERS: [&str; 2] = ["sessions", "archived_sessions"];

/// Codex's own folder: `CODEX_HOME`, else `.codex` in the user's.
pub fn home(codex_home: Option<&Path>, home: Option<&Path>) -> Option<PathBuf> {
    let named = codex_home.filter(|folder| !folder.as_os_str().is_empty());
    named.map(Path::to_owned).or_else(|| Some(home?.join(".codex")))
}

/// The rollouts of sessions that began in the project at `root`, or below it. Of each file only its
/// first line is read; one that cannot be read is none of them.
pub fn past_sessions(home: &Path, root: &Path) -> io::Result<Vec<SourceFile>> {
    let root = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let mut found = Vec::new();
    for folder in FOLDERS.map(|folder| home.join(folder)) {
        if folder.is_dir() {
            found.extend(transcripts_in(&folder)?);
        }
    }
    found.retain(|file| {
        let cwd = file.head().map(|head| beginning(&head).cwd).unwrap_or_default();
        cwd.is_some_and(|cwd| lies_in(Path::new(&cwd), &root))
    });
    Ok(found)
}

/// Whether a folder is `root` or below it, whatever links lead there; one that is gone is judged by
/// its name.
fn lies_in(folder: &Path, root: &Path) -> bool {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    folder.is_absolute() && folder.starts_with(root)
}
