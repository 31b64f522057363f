//! A fold into a folder of files: what both such stores have in common.

use crate::event::Recorded;
use crate::store::folder::Folder;
use crate::store::{Anomaly, Cursor, Position, Projector, Rows, StoreError};

/// What files an event makes, or puts something behind.
pub trait Files: Default {
    /// Whether what events refer to is to be brought.
    const WANTS_CONTENT: bool;

    /// Writes what comes of an event; what it cannot tell as it is, it adds to `anomalies`.
    fn apply(
        &mut self,
        recorded: &Recorded,
        folder: &mut Folder,
        anomalies: &mut Vec<Anomaly>,
    ) -> Result<(), StoreError>;

    /// Writes what is held of events before this: the transaction ends.
    fn settle(&mut self, _folder: &mut Folder) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A fold into a folder of files.
#[derive(Debug)]
pub struct FilesProjector<F> {
    store: Folder,
    files: F,
    anomalies: Vec<Anomaly>,
}

impl<F: Files> FilesProjector<F> {
    /// A fold into this store.
    pub fn new(store: Folder) -> Self {
        Self { store, files: F::default(), anomalies: Vec::new() }
    }
}

impl<F: Files> Projector for FilesProjector<F> {
    fn begin(&mut self) -> Result<(), StoreError> {
        self.store.begin()
    }

    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.store.cursor()
    }

    fn found_rows(&self) -> Result<Rows, StoreError> {
        // A file that is not as it was left is met where it is touched.
        Ok(Rows::default())
    }

    fn apply(&mut self, recorded: &Recorded, _: Option<&Recorded>) -> Result<(), StoreError> {
        self.files.apply(recorded, &mut self.store, &mut self.anomalies)
    }

    fn note(&mut self, _anomaly: Anomaly) -> Result<(), StoreError> {
        // The index keeps the list.
        Ok(())
    }

    fn wants_starts(&self) -> bool {
        false
    }

    fn wants_content(&self) -> bool {
        F::WANTS_CONTENT
    }

    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        std::mem::take(&mut self.anomalies)
    }

    fn commit(&mut self, position: Position) -> Result<(), StoreError> {
        self.files.settle(&mut self.store)?;
        self.store.commit(position)
    }

    fn rollback(&mut self) -> Result<(), StoreError> {
        self.anomalies.clear();
        self.files = F::default();
        self.store.rollback()
    }

    fn finish(self: Box<Self>) -> Result<(), StoreError> {
        // Its last commit ended a load already.
        Ok(())
    }
}
