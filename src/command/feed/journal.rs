//! The real journal as a feed.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::{CONTENT_BYTES_MAX, ChainAt, Feed, FeedError, Step, Steps};
use crate::command::Project;
use crate::event::{Content, Recorded, Sequence};
use crate::journal::{Journal, JournalError, JournalReader, Mark, ReplayItem};

/// A journal as a feed: synced through its writer, or read as it stands.
pub struct JournalFeed<'j> {
    reader: JournalReader,
    through: Mark,
    dir: PathBuf,
    writer: Option<&'j Journal>,
}

impl<'j> JournalFeed<'j> {
    /// A project's journal, synced.
    pub fn of(project: &'j Project) -> Result<Self, FeedError> {
        let writer = project.journal().map_err(|source| FeedError { source: Box::new(source) })?;
        Self::synced(writer, &project.journal_dir())
    }

    /// Syncs, so that stores never get ahead of a journal that loses power (R8).
    pub fn synced(writer: &'j Journal, dir: &Path) -> Result<Self, FeedError> {
        let through = writer.sync().map_err(unreadable)?;
        let reader = JournalReader::open(dir).map_err(unreadable)?;
        Ok(Self { reader, through, dir: dir.to_owned(), writer: Some(writer) })
    }

    /// The journal as it stands: to compare stores with, not to feed them.
    pub fn reading(dir: &Path) -> Result<JournalFeed<'static>, FeedError> {
        let reader = JournalReader::open(dir).map_err(unreadable)?;
        let through = reader.mark();
        Ok(JournalFeed { reader, through, dir: dir.to_owned(), writer: None })
    }
}

fn step(item: ReplayItem) -> Option<Step> {
    Some(match item {
        ReplayItem::Event(recorded) => Step::Event(recorded),
        ReplayItem::CommitEnd(mark) => Step::CommitEnd(mark),
        ReplayItem::Skipped { sequence, .. } => Step::Skipped(sequence),
        ReplayItem::Undecodable { sequence, kind, error } => {
            Step::Undecodable { sequence, kind, error }
        }
        ReplayItem::Lost(_) => return None,
    })
}

fn unreadable(source: JournalError) -> FeedError {
    FeedError { source: Box::new(source) }
}

impl Feed for JournalFeed<'_> {
    fn journal(&self) -> [u8; 16] {
        self.reader.id()
    }

    fn through(&self) -> Mark {
        self.through
    }

    fn reopened(&self) -> Result<Box<dyn Feed + '_>, FeedError> {
        Ok(match self.writer {
            Some(writer) => Box::new(JournalFeed::synced(writer, &self.dir)?),
            None => Box::new(JournalFeed::reading(&self.dir)?),
        })
    }

    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError> {
        let replay = self.reader.replay(Sequence(after.0 + 1), Some(through));
        // What is lost shows as a gap in the sequences; why is for `verify` to say.
        Ok(Box::new(replay.filter_map(|item| match item {
            Ok(item) => step(item).map(Ok),
            Err(error) => Some(Err(unreadable(error))),
        })))
    }

    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError> {
        match self.reader.get(at) {
            Ok(found) => Ok(found),
            // Listed as an anomaly where the replay met it.
            Err(JournalError::Undecodable { .. }) => Ok(None),
            Err(error) => Err(unreadable(error)),
        }
    }

    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError> {
        let mut damaged = false;
        for item in self.reader.replay(at, Some(at)) {
            match item.map_err(unreadable)? {
                ReplayItem::CommitEnd(mark) if mark.sequence == at => {
                    return Ok(ChainAt::Is(mark.chain));
                }
                ReplayItem::Lost(_) => damaged = true,
                _ => {}
            }
        }
        Ok(if damaged { ChainAt::Unreadable } else { ChainAt::NoCommitEnd })
    }

    fn content(&self, content: &Content) -> Option<Content> {
        let (hash, len) = match content {
            Content::Blob { hash, len } => (hash, len),
            Content::Repeated { .. } => {
                // What cannot be read is listed by who asked.
                return self.reader.bytes(content).ok().map(Content::Inline);
            }
            Content::Inline(_) | Content::Truncated { .. } => return Some(content.clone()),
        };
        let blobs = self.reader.blobs();
        if *len <= CONTENT_BYTES_MAX {
            // What cannot be read is listed by who asked.
            return blobs.get(hash, *len).ok().map(Content::Inline);
        }
        // A store says that it is not there, and goes on.
        ends(&blobs.path(hash), *len).ok()
    }
}

/// A large blob's beginning and end, in bounded memory; `verify` is who hashes it whole.
fn ends(path: &Path, len: u64) -> io::Result<Content> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let mut file = File::open(path)?;
    let half = CONTENT_BYTES_MAX / 2;
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    file.by_ref().take(half).read_to_end(&mut head)?;
    file.seek(SeekFrom::End(-i64::try_from(half).unwrap_or(0)))?;
    file.take(half).read_to_end(&mut tail)?;
    Ok(Content::Truncated { head, tail, len })
}
