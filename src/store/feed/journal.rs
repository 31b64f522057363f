//! The real journal as a feed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::budget::Budget;
use super::contents::Kept;
use super::{CONTENT_BYTES_MAX, ChainAt, Feed, FeedError, Step, Steps};
use crate::event::{Content, EventError, Recorded, Sequence};
use crate::journal::{Journal, JournalError, JournalReader, Mark, Project, Reading, ReplayItem};
use crate::store::turn;

/// A journal as a feed: synced through its writer, read as it stands, or up to one event of it.
#[derive(Clone)]
pub struct JournalFeed<'j> {
    reader: Arc<JournalReader>,
    through: Mark,
    dir: PathBuf,
    how: How<'j>,
    kept: Arc<Kept>,
    budget: Option<Arc<Budget>>,
}

#[derive(Clone, Copy)]
enum How<'j> {
    Synced(&'j Journal),
    Standing,
    Untouched(&'j Project),
    /// It never goes on.
    Pinned,
}

impl<'j> JournalFeed<'j> {
    fn new(reader: JournalReader, through: Mark, dir: &Path, how: How<'j>) -> Self {
        let (reader, kept) = (Arc::new(reader), Arc::default());
        Self { reader, through, dir: dir.to_owned(), how, kept, budget: None }
    }

    /// The same, ending with an error once the stores made of it are too large.
    pub(in crate::store) fn within(&self, budget: &Arc<Budget>) -> Self {
        Self { budget: Some(Arc::clone(budget)), ..self.clone() }
    }

    pub fn of(project: &'j Project) -> Result<Self, FeedError> {
        let writer = project.journal().map_err(|source| FeedError { source: Box::new(source) })?;
        Self::synced(writer, &project.journal_dir())
    }

    /// A project's journal as a question reads it: one that was made elsewhere stays as it is.
    pub fn asked(project: &'j Project) -> Result<Self, FeedError> {
        if project.is_at_home() {
            return Self::of(project);
        }
        Self::untouched(project)
    }

    /// A project's journal as it stands, made durable: nothing of it is changed.
    fn untouched(project: &'j Project) -> Result<Self, FeedError> {
        let feed = Self::reading(&project.journal_dir())?;
        // After the reader knows where the journal ends: then all of that is durable (R8).
        project.flush().map_err(|source| FeedError { source: Box::new(source) })?;
        Ok(Self { how: How::Untouched(project), ..feed })
    }

    /// Syncs, so that stores never get ahead of a journal that loses power (R8).
    pub fn synced(writer: &'j Journal, dir: &Path) -> Result<Self, FeedError> {
        turn::pass();
        let through = writer.sync().map_err(unreadable)?;
        turn::pass();
        let reader = JournalReader::open(dir).map_err(unreadable)?;
        Ok(Self::new(reader, through, dir, How::Synced(writer)))
    }

    /// The journal as it stands: to compare stores with, not to feed them.
    pub fn reading(dir: &Path) -> Result<JournalFeed<'static>, FeedError> {
        turn::pass();
        let reader = JournalReader::open(dir).map_err(unreadable)?;
        let through = reader.mark();
        Ok(JournalFeed::new(reader, through, dir, How::Standing))
    }

    /// As far as it was written since.
    pub(in crate::store) fn grown(&self) -> Result<Self, FeedError> {
        Ok(Self { through: self.reader.refresh().map_err(unreadable)?, ..self.clone() })
    }

    /// The journal as it stands now, for ever; only what was read when this was made.
    pub fn pinned(dir: &Path, reading: Reading) -> Result<JournalFeed<'static>, FeedError> {
        let reader = JournalReader::reading(dir, reading).map_err(unreadable)?;
        let through = reader.mark();
        Ok(JournalFeed::new(reader, through, dir, How::Pinned))
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// As [`Self::pinned`], as the journal stood when this event had just been recorded. Where it lies inside a
    /// commit, its mark has a chain of its own, of the commit's and where it is cut, that nothing recorded has.
    pub fn cut(
        dir: &Path,
        reading: Reading,
        at: Sequence,
    ) -> Result<JournalFeed<'static>, FeedError> {
        let mut feed = Self::pinned(dir, reading)?;
        if at < feed.through.sequence {
            feed.through = feed.mark_at(at)?;
        }
        Ok(feed)
    }

    /// Where the journal ends: looked for again where it ended before `at`, unless what is read is
    /// the journal of one moment.
    fn end_now(&self, at: Sequence) -> Result<Sequence, FeedError> {
        turn::pass();
        match self.how {
            How::Pinned => Ok(self.through.sequence),
            _ if at <= self.reader.mark().sequence => Ok(at),
            _ => Ok(self.reader.refresh().map_err(unreadable)?.sequence),
        }
    }

    fn mark_at(&self, at: Sequence) -> Result<Mark, FeedError> {
        let mut chain = self.through.chain;
        if at > Sequence(0) {
            for item in self.reader.replay(at, None) {
                if let ReplayItem::CommitEnd(mark) = item.map_err(unreadable)? {
                    if mark.sequence == at {
                        return Ok(mark);
                    }
                    chain = mark.chain;
                    break;
                }
            }
        }
        let mut hash = blake3::Hasher::new_derive_key("annals cut v1");
        hash.update(&self.reader.id()).update(&chain).update(&at.0.to_le_bytes());
        Ok(Mark { sequence: at, chain: *hash.finalize().as_bytes() })
    }

    /// The last event that was recorded before this moment, Unix milliseconds.
    pub fn before_time(&self, time_ms: u64) -> Result<Sequence, FeedError> {
        let found = self.reader.before_time(time_ms).map_err(unreadable)?;
        Ok(found.min(self.through.sequence))
    }
}

pub(in crate::store) fn step(item: ReplayItem) -> Option<Step> {
    turn::pass();
    Some(match item {
        ReplayItem::Event(recorded) => Step::Event(Arc::new(recorded)),
        ReplayItem::CommitEnd(mark) => Step::CommitEnd(mark),
        ReplayItem::Skipped { sequence, .. } => Step::Skipped(sequence),
        // Destroyed on purpose: as if it had never been recorded.
        ReplayItem::Undecodable { sequence, error: EventError::Redacted { .. }, .. } => {
            Step::Skipped(sequence)
        }
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
        Ok(match self.how {
            How::Synced(writer) => Box::new(JournalFeed::synced(writer, &self.dir)?),
            How::Standing => Box::new(JournalFeed::reading(&self.dir)?),
            How::Untouched(project) => Box::new(JournalFeed::untouched(project)?),
            How::Pinned => Box::new(self.clone()),
        })
    }

    fn begins_after(&self) -> Sequence {
        self.reader.begins_after()
    }

    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError> {
        let replay = self.reader.replay(Sequence(after.0 + 1), Some(through));
        // What is lost shows as a gap in the sequences; why is for `verify` to say.
        let steps = replay.filter_map(|item| match item {
            Ok(item) => step(item).map(Ok),
            Err(error) => Some(Err(unreadable(error))),
        });
        Ok(match &self.budget {
            Some(budget) => Box::new(steps.map(|step| budget.look().and(step))),
            None => Box::new(steps),
        })
    }

    fn allows_more(&self) -> Result<(), FeedError> {
        self.budget.as_ref().map_or(Ok(()), |budget| budget.look())
    }

    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError> {
        turn::pass();
        match self.reader.get(at) {
            Ok(found) => Ok(found),
            // Listed as an anomaly where the replay met it.
            Err(JournalError::Undecodable { .. }) => Ok(None),
            Err(error) => Err(unreadable(error)),
        }
    }

    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError> {
        if at > self.end_now(at)? {
            return Ok(ChainAt::Beyond);
        }
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
        Ok(if damaged { ChainAt::Lost } else { ChainAt::NoCommitEnd })
    }

    fn content(&self, content: &Content) -> Option<Content> {
        let found = self.brought(content);
        if let (Some(budget), Some(Content::Inline(bytes))) = (&self.budget, &found) {
            budget.spend(bytes.len());
        }
        found
    }
}

impl JournalFeed<'_> {
    fn brought(&self, content: &Content) -> Option<Content> {
        let (hash, len) = match content {
            Content::Blob { hash, len } => (hash, len),
            Content::Repeated { hash, .. } => {
                let brought = self.kept.get_or(hash, || self.reader.bytes(content));
                // What cannot be read is listed by who asked.
                return brought.ok().map(Content::Inline);
            }
            Content::Inline(_) | Content::Truncated { .. } => return Some(content.clone()),
        };
        let blobs = self.reader.blobs();
        if *len <= CONTENT_BYTES_MAX {
            // What cannot be read is listed by who asked.
            return blobs.get(hash, *len).ok().map(Content::Inline);
        }
        // A store says that it is not there, and goes on.
        blobs.ends(hash, *len, CONTENT_BYTES_MAX / 2).ok()
    }
}
