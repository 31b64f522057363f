//! What can be asked about: a project, its `.annals`, a journal's folder, one segment, a bundle.

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::{Access, AtFlags, CWD, accessat};

use crate::journal::project::{is_there, worktree};
use crate::journal::trust::foreign_owner;
use crate::journal::{Around, FOLDER, LostJournal, Reading, enclosure};

const JOURNAL: &str = "journal";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// As it was named.
    pub given: PathBuf,
    pub kind: SourceKind,
    pub journal: PathBuf,
    /// The project around the journal, or what is left of one in a copy: where stores may lie.
    pub root: Option<PathBuf>,
    /// Where that is worked on: the root, or what it is in a linked working tree.
    pub tree: Option<PathBuf>,
    /// What can be asked of what lies around it.
    pub(crate) around: Around,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A project's root, or its `.annals`.
    Project,
    /// A folder of segments.
    Journal,
    /// One file: a segment, or a bundle.
    File,
}

impl Source {
    pub(crate) fn of_around(path: &Path, around: Around) -> Result<Self, SourceError> {
        let about = fs::metadata(path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => SourceError::Absent { path: path.to_owned() },
            _ => SourceError::Io { path: path.to_owned(), source },
        })?;
        let source = |kind, journal: PathBuf, root: Option<&Path>| Self {
            given: path.to_owned(),
            kind,
            journal,
            root: root.map(Path::to_owned),
            tree: root.map(Path::to_owned),
            around,
        };
        if about.is_file() {
            return Ok(source(SourceKind::File, path.to_owned(), None));
        }
        // `.` and `..` have names too, once they are looked up.
        let real = enclosure::real(path).unwrap_or_else(|_| path.to_owned());
        let is = |folder: &Path, name: &str| folder.file_name().is_some_and(|it| it == name);
        let inner = path.join(FOLDER).join(JOURNAL);
        let above = real.parent().unwrap_or(path);
        let root = match path.parent().filter(|_| is(path, FOLDER)) {
            _ if !is(&real, FOLDER) => path,
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => above,
        };
        let is_journal = is(&real, JOURNAL) && is(above, FOLDER);
        let project = if is_journal { above.parent().unwrap_or(root) } else { root };
        if let Some(lost) = LostJournal::of(project, around) {
            return Err(lost.into());
        }
        if is_there(&inner).map_err(|source| SourceError::Io { path: inner.clone(), source })? {
            return Ok(source(SourceKind::Project, inner, Some(path)));
        }
        if is(&real, FOLDER) && path.join(JOURNAL).is_dir() {
            return Ok(source(SourceKind::Project, path.join(JOURNAL), Some(root)));
        }
        if holds_segments(path) {
            let annals = real.parent().filter(|it| is(&real, JOURNAL) && is(it, FOLDER));
            let root = annals.and_then(Path::parent);
            return Ok(source(SourceKind::Journal, path.to_owned(), root));
        }
        if holds_segments(&path.join(JOURNAL)) {
            return Ok(source(SourceKind::Journal, path.join(JOURNAL), None));
        }
        match worktree::main_root(path) {
            Some(main) => Ok(Self::of_around(&main, around)?.worked_in(path)),
            None => Err(SourceError::Nothing { path: path.to_owned() }),
        }
    }

    fn worked_in(self, folder: &Path) -> Self {
        let tree = self.root.as_deref().and_then(|root| worktree::tree(root, folder));
        Self { tree: tree.or(self.tree), ..self }
    }

    pub(crate) fn find_around(start: &Path, around: Around) -> Result<Option<Self>, SourceError> {
        let start = enclosure::real(start)
            .map_err(|source| SourceError::Io { path: start.to_owned(), source })?;
        let Some(root) = worktree::root(&start) else { return Ok(None) };
        let looked = foreign_owner(&root)
            .map_err(|source| SourceError::Io { path: root.clone(), source })?;
        match looked {
            Some((path, owner)) => Err(SourceError::Foreign { path, owner }),
            None => Ok(Some(Self::of_around(&root, around)?.worked_in(&start))),
        }
    }

    /// Whether all can be written that a project's commands write, and it is nobody else's: else it is
    /// read as evidence.
    pub fn is_writable(&self) -> bool {
        let Some(root) = self.root.as_deref().filter(|_| self.kind == SourceKind::Project) else {
            return false;
        };
        let writable = |folder: &Path| {
            accessat(CWD, folder, Access::WRITE_OK | Access::EXEC_OK, AtFlags::EACCESS).is_ok()
        };
        let is_own = foreign_owner(root).is_ok_and(|found| found.is_none());
        is_own && [root, &root.join(FOLDER), &self.journal].into_iter().all(writable)
    }

    /// How it may be read: as evidence where that was asked for, or nothing else is possible.
    pub fn reading(&self, evidence: bool) -> Reading {
        match evidence || !self.is_writable() {
            true => Reading::Evidence,
            false => Reading::Live,
        }
    }

    /// Whether it is a project that can be caught up, and may be.
    pub fn is_live(&self, evidence: bool) -> bool {
        self.reading(evidence) == Reading::Live
    }

    /// What it is called among others: its project's folder, else the file or folder itself.
    pub fn label(&self) -> String {
        let named = self.root.as_deref().unwrap_or(&self.given);
        let real = enclosure::real(named).unwrap_or_else(|_| named.to_owned());
        let name = real.file_name().unwrap_or(real.as_os_str());
        name.to_string_lossy().into_owned()
    }
}

fn holds_segments(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.path().extension().is_some_and(|it| it == "seg"))
}

#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error(transparent)]
    Lost(#[from] LostJournal),
    #[error("there is no {}", path.display())]
    Absent { path: PathBuf },
    #[error(
        "{} is no project, no journal's folder, no segment and no bundle",
        path.display()
    )]
    Nothing { path: PathBuf },
    #[error(
        "{} belongs to another user (uid {owner}): it is not picked up by itself",
        path.display()
    )]
    Foreign { path: PathBuf, owner: u32 },
    #[error("{} could not be looked at", path.display())]
    Io { path: PathBuf, source: io::Error },
}
