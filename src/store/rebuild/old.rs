//! The store as it was before it is built anew.

use crate::event::Sequence;
use crate::journal::Mark;
use crate::store::catch_up::{CatchUpError, RebuildReason, Standing, standing};
use crate::store::{AnyReader, Cursor, Digest, Feed, Keep, StoreError};
use crate::stores::{StoreName, StorePlaces};

/// The store as it was before. One that cannot be read has neither cursor nor digest.
pub(super) struct Old {
    pub reader: Option<Box<dyn AnyReader>>,
    /// Only of one that is of this journal's making.
    cursor: Option<Cursor>,
    pub digest: Option<Digest>,
    pub problem: Option<String>,
    /// How it is kept, whatever it says.
    pub keep: Keep,
}

impl Old {
    /// Opens the old store and judges its cursor. Its rows are the digest's matter.
    pub fn open(
        store: StoreName,
        places: &StorePlaces,
        feed: &dyn Feed,
    ) -> Result<Self, CatchUpError> {
        let opened = store.open(places.path(store));
        let read = opened.and_then(|reader| Ok((reader.cursor()?, reader)));
        let (cursor, reader) = match read {
            Ok((cursor, reader)) => (cursor, Some(reader)),
            Err(error) if error.wants_rebuild() || error.is_in_the_way() => {
                let keep = match error {
                    StoreError::FilesDiffer { .. } => Keep::Evidence,
                    StoreError::SchemaDiffers { .. } => {
                        RebuildReason::SchemaDiffers.keep_of(places.path(store))
                    }
                    _ => Keep::Replaced,
                };
                let problem = Some(error.to_string());
                return Ok(Self { reader: None, cursor: None, digest: None, problem, keep });
            }
            Err(error) => return Err(error.into()),
        };
        let rows = cursor.map(|cursor| cursor.rows).unwrap_or_default();
        Ok(match standing(cursor, rows, feed)? {
            Standing::Wrong(reason) => {
                let problem = Some(reason.to_string());
                Self { reader, cursor: None, digest: None, problem, keep: reason.keep() }
            }
            Standing::Current | Standing::Behind(_) => {
                Self { reader, cursor, digest: None, problem: None, keep: Keep::Nothing }
            }
        })
    }

    /// Takes what was read of it meanwhile: if it went on since it was opened, it is no longer
    /// comparable.
    pub fn take_digest(&mut self, read: Option<(Option<Cursor>, Digest, bool)>) {
        let Some((cursor, digest, is_whole)) = read else { return };
        self.digest = Some(digest);
        if !is_whole && self.problem.is_none() {
            self.problem = Some("its indexes are damaged".to_owned());
            self.keep = Keep::Replaced;
        }
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

/// A store's content, as of one moment, and whether its indexes hold; `None` where it is too damaged to be
/// read through.
pub(super) fn content(
    reader: &dyn AnyReader,
) -> Result<Option<(Option<Cursor>, Digest, bool)>, StoreError> {
    match reader.digest() {
        Ok((cursor, digest)) => Ok(Some((cursor, digest, reader.is_whole()?))),
        Err(error) if error.wants_rebuild() => Ok(None),
        Err(error) => Err(error),
    }
}
