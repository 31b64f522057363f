//! The store that another is built beside.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::thread;

use super::{Built, RebuildMode, StoreRebuild};
use crate::event::Sequence;
use crate::journal::enclosure::{Look, OpenHow};
use crate::journal::{Mark, enclosure};
use crate::store::catch_up::{CatchUpError, CaughtUp, Feeding, RebuildReason, Standing, standing};
use crate::store::snapshot::StillStore;
use crate::store::{AnyReader, Cursor, Digest, Feed, Keep, StoreError, StoreName};

/// Of two files that are compared, what is read at a time.
const READ_BYTES: usize = 256 << 10;

/// The store as it was before. One that cannot be read has neither cursor nor digest.
pub(super) struct Old {
    pub reader: Option<Box<dyn AnyReader>>,
    /// Only of one that is of this journal's making.
    pub cursor: Option<Cursor>,
    pub digest: Option<Digest>,
    pub problem: Option<String>,
    /// How it is kept, whatever it says.
    pub keep: Keep,
    /// How its file was before it was read.
    pub stood: Option<Look>,
}

impl Old {
    /// What a cursor says of its store. Its rows are the digest's matter.
    pub fn of(cursor: Option<Cursor>, feed: &dyn Feed) -> Result<Self, CatchUpError> {
        let rows = cursor.map(|cursor| cursor.rows).unwrap_or_default();
        let (cursor, problem, keep) = match standing(cursor, rows, feed)? {
            Standing::Wrong(reason) => (None, Some(reason.to_string()), reason.keep()),
            Standing::Current | Standing::Behind(_) => (cursor, None, Keep::Nothing),
        };
        Ok(Self { reader: None, cursor, digest: None, problem, keep, stood: None })
    }

    /// One of which nothing is known but what is wrong with it.
    pub fn unread(problem: String, keep: Keep) -> Self {
        let problem = Some(problem);
        Self { reader: None, cursor: None, digest: None, problem, keep, stood: None }
    }

    /// Opens the old store and judges its cursor.
    pub fn open(store: StoreName, from: Feeding<'_>) -> Result<Self, CatchUpError> {
        let path = from.places.path(store);
        let stood = enclosure::look(path).ok(); // then it cannot be read either
        let read = store.open(path).and_then(|reader| Ok((reader.cursor()?, reader)));
        match read {
            Ok((cursor, reader)) => {
                Ok(Self { reader: Some(reader), stood, ..Self::of(cursor, from.feed)? })
            }
            Err(error) if error.wants_rebuild() || error.is_in_the_way() => {
                let keep = match error {
                    StoreError::FilesDiffer { .. } => Keep::Evidence,
                    StoreError::SchemaDiffers { .. } => RebuildReason::SchemaDiffers.keep_of(path),
                    _ => Keep::Replaced,
                };
                Ok(Self::unread(error.to_string(), keep))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Digests it while another is built: each has its own file and core.
    pub fn beside<T>(
        &mut self,
        store: StoreName,
        mode: RebuildMode,
        build: impl FnOnce() -> Result<T, CatchUpError>,
    ) -> Result<T, CatchUpError> {
        let reader = self.reader.take();
        let read = move || reader.map_or(Ok(None), |reader| content(reader.as_ref(), mode));
        let (built, before) = thread::scope(|scope| {
            let before = scope.spawn(read);
            (build(), before.join())
        });
        let built = built?;
        self.take_digest(before.map_err(|_| CatchUpError::Panicked { store })??);
        Ok(built)
    }

    /// Takes what was read of it meanwhile: if it went on since it was opened, it is no longer
    /// comparable.
    fn take_digest(&mut self, read: Option<(Option<Cursor>, Digest, bool)>) {
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

    /// Its file, where that is the built one's byte for byte, and stands as it did before it was read: then both have
    /// one digest. To close it takes this process's locks from it, so it stays open until another is in its place.
    fn same_file(&self, path: &Path, built: &Built) -> Option<File> {
        let stands = || StillStore::is_alone(path) && enclosure::look(path).ok() == self.stood;
        let (mut old, new) = (enclosure::open(path, OpenHow::Read), built.path());
        // One that cannot be read is not the same.
        let is_same = self.stood.is_some()
            && stands()
            && old.as_mut().is_ok_and(|old| has_bytes_of(old, new).unwrap_or(false));
        old.ok().filter(|_| is_same && stands()) // as above
    }

    /// The built one's digest, and what [`Self::same_file`] keeps open.
    pub fn digest_of(
        &self,
        path: &Path,
        built: &Built,
    ) -> Result<(Digest, Option<File>), StoreError> {
        let same = self.digest.and_then(|digest| Some((digest, self.same_file(path, built)?)));
        match same {
            Some((digest, file)) => Ok((digest, Some(file))),
            None => Ok((built.digest()?, None)),
        }
    }

    pub fn mark(&self) -> Option<Mark> {
        let position = self.cursor?.position;
        Some(Mark { sequence: Sequence(position.sequence), chain: position.chain })
    }

    /// What became of it: another was built that has read up to `at`.
    pub fn report(
        self,
        store: StoreName,
        built: &CaughtUp,
        after: Digest,
        at: Mark,
    ) -> StoreRebuild {
        let comparable = self.digest.filter(|_| self.mark() == Some(at));
        StoreRebuild {
            store,
            events: built.events,
            anomalies: built.anomalies,
            before: self.digest,
            same: comparable.map(|digest| digest == after),
            problem: self.problem,
            after,
            replaced: false,
            quarantined: None,
        }
    }
}

/// Whether a file has the bytes of another one.
fn has_bytes_of(one: &mut File, other: &Path) -> io::Result<bool> {
    let mut other = enclosure::open(other, OpenHow::Read)?;
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut some, mut others) = (vec![0; READ_BYTES], vec![0; READ_BYTES]);
    loop {
        let read = one.read(&mut some)?;
        other.read_exact(&mut others[..read])?;
        if read == 0 || some[..read] != others[..read] {
            return Ok(read == 0);
        }
    }
}

/// A store's content, as of one moment, and whether its indexes hold; `None` where it is too damaged to be
/// read through. Of one that is replaced by what the journal says nobody asks for its indexes.
fn content(
    reader: &dyn AnyReader,
    mode: RebuildMode,
) -> Result<Option<(Option<Cursor>, Digest, bool)>, StoreError> {
    if mode == RebuildMode::Replace {
        // Read once from its first page to its last.
        reader.keep_little()?;
    }
    match reader.digest() {
        Ok((cursor, digest)) => {
            let is_whole = mode == RebuildMode::Replace || reader.is_whole()?;
            Ok(Some((cursor, digest, is_whole)))
        }
        Err(error) if error.wants_rebuild() => Ok(None),
        Err(error) => Err(error),
    }
}
