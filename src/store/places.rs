//! Where a project's stores lie, and what lies beside them.

use std::path::{Path, PathBuf};

use super::dir::if_there;
use super::lock::beside;
use super::{StoreError, StoreList, StoreName};
use crate::journal::{FOLDER, Project, Source, enclosure};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StorePlaces {
    /// The project's root: what its paths are told from.
    pub root: PathBuf,
    pub list: &'static StoreList,
    /// Of each store of the list.
    paths: Vec<PathBuf>,
    /// A folder: stores that were replaced because they could not be trusted, and stray `-wal`s.
    pub quarantine: PathBuf,
    /// A folder: stores while they are built.
    pub building: PathBuf,
    /// A JSON-lines file: every anomaly, as it was met.
    pub errors: PathBuf,
}

impl StorePlaces {
    pub fn new(root: &Path, list: &'static StoreList) -> Self {
        let annals = root.join(FOLDER);
        Self {
            root: root.to_owned(),
            list,
            paths: list.stores.iter().map(|store| root.join(store.place())).collect(),
            building: annals.join("building"),
            quarantine: annals.join("quarantine"),
            errors: annals.join("errors.jsonl"),
        }
    }

    pub fn of(project: &Project) -> Self {
        Self::new(project.root(), StoreList::of(project.around()))
    }

    /// Those around a source; `None` where there is no project around it.
    pub fn of_source(source: &Source) -> Option<Self> {
        Some(Self::new(source.root.as_deref()?, StoreList::of(source.around)))
    }

    /// Where a store lies; one that is not of the list lies nowhere.
    pub fn path(&self, store: StoreName) -> &Path {
        let at = self.list.stores.iter().position(|it| *it == store);
        at.and_then(|at| self.paths.get(at)).map_or(Path::new(""), PathBuf::as_path)
    }

    /// The store through which others find what they need.
    pub fn index(&self) -> &Path {
        self.paths.first().map_or(Path::new(""), PathBuf::as_path)
    }

    #[must_use]
    pub fn with(mut self, store: StoreName, path: &Path) -> Self {
        let at = self.list.stores.iter().position(|it| *it == store);
        if let Some(place) = at.and_then(|at| self.paths.get_mut(at)) {
            path.clone_into(place);
        }
        self
    }

    /// Whether a store was ever opened here: its lock stays beside it. One that is shared has none.
    pub fn was_made(&self, store: StoreName) -> bool {
        beside(self.path(store), ".lock").exists()
    }

    pub fn is_empty(&self, store: StoreName) -> bool {
        enclosure::look(self.path(store)).is_ok_and(|look| look.is_file() && look.bytes == 0)
    }

    pub fn has(&self, store: StoreName) -> Result<bool, StoreError> {
        is_there(self.path(store))
    }
}

pub(super) fn is_there(path: &Path) -> Result<bool, StoreError> {
    let looked = if_there(enclosure::look(path)).map(|look| look.is_some());
    looked.map_err(|source| StoreError::io(path, "looking for the store", source))
}
