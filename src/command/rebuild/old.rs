//! The store as it was before it is built anew.

use crate::command::catch_up::{CatchUpError, Standing, standing};
use crate::command::feed::Feed;
use crate::event::Sequence;
use crate::journal::Mark;
use crate::store::code_graph::CodeGraphReader;
use crate::store::execution_log::ExecutionLogReader;
use crate::store::index::IndexReader;
use crate::store::{Cursor, Digest, StoreError, StoreName, StorePlaces};

/// The store as it was before. One that cannot be read has neither cursor nor digest.
pub(super) struct Old {
    pub reader: Option<OldReader>,
    /// Only of one that is of this journal's making.
    cursor: Option<Cursor>,
    pub digest: Option<Digest>,
    pub problem: Option<String>,
}

/// Any store, open.
pub(super) enum OldReader {
    Index(IndexReader),
    ExecutionLog(ExecutionLogReader),
    CodeGraph(CodeGraphReader),
}

impl Old {
    /// Opens the old store and judges its cursor. Its rows are the digest's matter.
    pub fn open(
        store: StoreName,
        places: &StorePlaces,
        feed: &dyn Feed,
    ) -> Result<Self, CatchUpError> {
        let path = places.path(store);
        let opened = match store {
            StoreName::Index => IndexReader::open(path).map(OldReader::Index),
            StoreName::ExecutionLog => ExecutionLogReader::open(path).map(OldReader::ExecutionLog),
            StoreName::CodeGraph => CodeGraphReader::open(path).map(OldReader::CodeGraph),
        };
        let read = opened.and_then(|reader| Ok((reader.cursor()?, reader)));
        let (cursor, reader) = match read {
            Ok((cursor, reader)) => (cursor, Some(reader)),
            Err(error) if error.wants_rebuild() => {
                let problem = Some(error.to_string());
                return Ok(Self { reader: None, cursor: None, digest: None, problem });
            }
            Err(error) => return Err(error.into()),
        };
        let rows = cursor.map(|cursor| cursor.rows).unwrap_or_default();
        Ok(match standing(cursor, rows, feed)? {
            Standing::Wrong(reason) => {
                let problem = Some(reason.to_string());
                Self { reader, cursor: None, digest: None, problem }
            }
            Standing::Current | Standing::Behind(_) => {
                Self { reader, cursor, digest: None, problem: None }
            }
        })
    }

    /// Takes what was read of it meanwhile: if it went on since it was opened, it is no longer
    /// comparable.
    pub fn take_digest(&mut self, read: Option<(Option<Cursor>, Digest)>) {
        let Some((cursor, digest)) = read else { return };
        self.digest = Some(digest);
        if cursor != self.cursor {
            self.cursor = None;
        }
    }

    /// How far it has read.
    pub fn mark(&self) -> Option<Mark> {
        let position = self.cursor?.position;
        Some(Mark { sequence: Sequence(position.sequence), chain: position.chain })
    }
}

impl OldReader {
    fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        match self {
            Self::Index(index) => index.cursor(),
            Self::ExecutionLog(log) => log.cursor(),
            Self::CodeGraph(graph) => graph.cursor(),
        }
    }

    /// Its content, as of one moment; `None` where it is too damaged to be read through.
    pub fn digest(self) -> Result<Option<(Option<Cursor>, Digest)>, StoreError> {
        let read = match self {
            Self::Index(index) => index.digest(),
            Self::ExecutionLog(log) => log.digest(),
            Self::CodeGraph(graph) => graph.digest(),
        };
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) if error.wants_rebuild() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
