//! Projectors: folds from events to rows.
//!
//! Same events, same rows: no clock, no randomness, no environment, no iteration over a hash map.
//! An event that a store cannot take as it is becomes an [`Anomaly`], never an abort.

use std::marker::PhantomData;
use std::path::Path;

use super::folder::{Folder, FolderReader};
use super::{
    AnyReader, Concern, Cursor, Database, Digest, Foreseen, KnownStarts, Operations, Position,
    Rows, Store, StoreError, StoreList, StorePlaces,
};
use crate::event::{ExecutionId, Recorded, RecordedLoss, Sequence};

/// A fold into one store, in transactions that end with the store's cursor (R11).
pub trait Projector {
    /// Begins a transaction. Only then is the cursor to be trusted.
    fn begin(&mut self) -> Result<(), StoreError>;
    /// How far the store says it is.
    fn cursor(&self) -> Result<Option<Cursor>, StoreError>;
    /// The last rows the store really has.
    fn found_rows(&self) -> Result<Rows, StoreError>;
    /// Applies the next event; `started` is the start of the execution that it closes.
    fn apply(&mut self, recorded: &Recorded, started: Option<&Recorded>) -> Result<(), StoreError>;
    /// Takes what was made of the next event ahead of it, maybe for another store.
    fn foresee(&mut self, _: Foreseen) {}
    /// Notes a place in the journal that gave no event: the index keeps the list, others have no place for it.
    fn note(&mut self, _anomaly: Anomaly) -> Result<(), StoreError> {
        Ok(())
    }
    /// The journal's commit has no more events. Catching up ends nowhere else, so what is remembered for a later
    /// event is forgotten here, or a store that was caught up would be another than one made anew.
    fn commit_ended(&mut self) {}
    /// Whether closing events need their starts.
    fn wants_starts(&self) -> bool {
        false
    }
    /// What starts it knows, where it is the index: those that are built beside it find theirs through it.
    fn known_starts(&self) -> Option<&dyn KnownStarts> {
        None
    }
    /// Whether an end that was told before is kept from a load, which then looks for none.
    fn takes_ends_once(&self) -> bool {
        false
    }
    /// Whether what tools printed is to be brought where it lies in a blob.
    fn wants_content(&self) -> bool {
        false
    }
    /// What was met since the last call, for the error log.
    fn take_anomalies(&mut self) -> Vec<Anomaly> {
        Vec::new()
    }
    /// Ends the transaction with the position that its rows are as of.
    fn commit(&mut self, position: Position) -> Result<(), StoreError>;
    /// Ends the transaction as if it had never been.
    fn rollback(&mut self) -> Result<(), StoreError>;
    /// Where the last events of the list's concerns are, where this one keeps account of it.
    fn operations(&self, _list: &StoreList) -> Result<Option<Operations>, StoreError> {
        Ok(None)
    }
    /// Of a load, before its first event: whoever makes it will ask what is in it.
    fn expect_digest(&mut self) {}
    /// Ends a load: makes what comes after the rows, and closes the file. Answers what is in it, where that was
    /// expected and need not be read for it.
    fn finish(self: Box<Self>) -> Result<Option<Digest>, StoreError>;
}

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

    /// Forgets what it remembers for a later event: the journal's commit has no more.
    fn commit_ended(&mut self) {}

    /// Writes what is held of events before this: the transaction ends.
    fn settle(&mut self, _folder: &mut Folder) -> Result<(), StoreError> {
        Ok(())
    }
}

#[derive(Debug)]
pub struct FilesProjector<F> {
    store: Folder,
    files: F,
    anomalies: Vec<Anomaly>,
}

impl<F: Files> FilesProjector<F> {
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

    fn commit_ended(&mut self) {
        self.files.commit_ended();
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

    fn finish(self: Box<Self>) -> Result<Option<Digest>, StoreError> {
        // Its last commit ended a load already.
        Ok(None)
    }
}

/// A store that is a folder of files.
pub struct FolderStore<F> {
    pub name: &'static str,
    pub place: &'static str,
    pub aliases: &'static [&'static str],
    pub concern: &'static Concern,
    pub files: PhantomData<fn() -> F>,
}

impl<F: Files + 'static> Store for FolderStore<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn place(&self) -> &'static str {
        self.place
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn concern(&self) -> Option<&'static Concern> {
        Some(self.concern)
    }

    fn database(&self) -> Option<&'static Database> {
        None
    }

    fn fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>, StoreError> {
        Ok(Box::new(FilesProjector::<F>::new(Folder::open(path)?)))
    }

    fn new_fold(&self, path: &Path, _: &StorePlaces) -> Result<Box<dyn Projector>, StoreError> {
        Ok(Box::new(FilesProjector::<F>::new(Folder::create(path)?)))
    }

    fn open(&self, path: &Path) -> Result<Box<dyn AnyReader>, StoreError> {
        Ok(Box::new(FolderReader::open(path)?))
    }

    fn open_still(&self, path: &Path) -> Result<Box<dyn AnyReader>, StoreError> {
        Ok(Box::new(FolderReader::open_still(path)?))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnomalyKind {
    /// The tool is not in the list in force (ruling 4): no row in `execution_log.db`.
    UndeclaredTool,
    InvalidToolName,
    /// A closing event without its start: the row's arguments are `{}`.
    LostStart,
    UnknownCorrected,
    /// An event that says other than one before it: the first counts.
    Contradiction,
    /// Arguments or diagnostics that are not the JSON they must be.
    InvalidJson,
    /// Bytes of the journal that are not what was written.
    Lost,
    /// Bytes that were acknowledged and are gone, as an event of the journal tells for ever.
    RecordedLoss,
    Undecodable,
    LostContent,
    UnreadableLine,
    ResultWithoutCall,
    /// What a log tells of a time that cannot be has its neighbour's.
    OddTime,
    PartUnread,
    /// A branch of memory whose beginning no event tells.
    UnknownBranch,
    /// A key, an event or a record of memory that is not there, or is another branch's.
    UnknownMemory,
    /// A number that something of memory has already, or that nothing can have.
    TakenNumber,
    /// A repository that no event before tells what it is.
    UnknownRepository,
    /// A debug session, or an attempt, a fix or a pattern of one, that is not there or not any more.
    UnknownDebug,
    /// What was left out of a repository's files since a person edited them, or since they are not ours.
    NotPublished,
    /// What a store could not be given since it could not be written.
    NotWritten,
}

impl AnomalyKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UndeclaredTool => "undeclared tool",
            Self::InvalidToolName => "invalid tool name",
            Self::LostStart => "lost start",
            Self::UnknownCorrected => "unknown corrected execution",
            Self::Contradiction => "contradiction",
            Self::InvalidJson => "invalid JSON",
            Self::Lost => "lost",
            Self::RecordedLoss => RecordedLoss::KIND,
            Self::Undecodable => "undecodable",
            Self::LostContent => "lost content",
            Self::UnreadableLine => "unreadable line",
            Self::ResultWithoutCall => "result without call",
            Self::OddTime => "time that cannot be",
            Self::PartUnread => "part not read",
            Self::UnknownBranch => "unknown branch",
            Self::UnknownMemory => "unknown memory",
            Self::TakenNumber => "taken number",
            Self::UnknownRepository => "unknown repository",
            Self::UnknownDebug => "unknown debug session",
            Self::NotPublished => "not published",
            Self::NotWritten => "not written",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anomaly {
    pub sequence: Sequence,
    pub kind: AnomalyKind,
    pub execution: Option<ExecutionId>,
    pub message: String,
}
