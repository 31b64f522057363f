//! A history in memory as a feed, for tests of what is fed.

use std::sync::Arc;

use super::{ChainAt, Feed, FeedError, Step, Steps};
use crate::event::{Content, Event, Recorded, Sequence};
use crate::journal::Mark;

/// A history in memory: events in commits, each commit with its chain.
#[derive(Clone, Debug)]
pub struct MemoryFeed {
    pub journal: [u8; 16],
    pub events: Vec<Recorded>,
    pub commits: Vec<Mark>,
    /// Stores see nothing after this commit.
    pub shown: usize,
    /// Sequences that cannot be read.
    pub lost: Vec<u64>,
}

impl MemoryFeed {
    pub fn new(journal: u8) -> Self {
        let (events, commits, lost) = (Vec::new(), Vec::new(), Vec::new());
        Self { journal: [journal; 16], events, commits, shown: 0, lost }
    }

    /// Appends one commit and shows it.
    pub fn commit(&mut self, events: Vec<Event>) {
        let mut hash = blake3::Hasher::new();
        hash.update(&self.journal);
        if let Some(last) = self.commits.last() {
            hash.update(&last.chain);
        }
        for event in events {
            let sequence = Sequence(self.events.len() as u64 + 1);
            hash.update(format!("{event:?}").as_bytes());
            self.events.push(Recorded { sequence, recorded_ms: event.envelope.at_ms, event });
        }
        let sequence = Sequence(self.events.len() as u64);
        self.commits.push(Mark { sequence, chain: *hash.finalize().as_bytes() });
        self.shown = self.commits.len();
    }

    /// The same history up to a commit, the first being 1.
    pub fn up_to(&self, commits: usize) -> Self {
        let mut shown = self.clone();
        shown.shown = commits.min(self.commits.len());
        shown
    }
}

impl Feed for MemoryFeed {
    fn journal(&self) -> [u8; 16] {
        self.journal
    }

    fn through(&self) -> Mark {
        match self.shown {
            0 => Mark { sequence: Sequence(0), chain: [0; 32] },
            shown => self.commits[shown - 1],
        }
    }

    fn reopened(&self) -> Result<Box<dyn Feed + '_>, FeedError> {
        Ok(Box::new(self.clone()))
    }

    fn replay(&self, after: Sequence, through: Sequence) -> Result<Steps<'_>, FeedError> {
        let mut steps = Vec::new();
        let within = |at: &Sequence| *at > after && *at <= through;
        for event in self.events.iter().filter(|event| within(&event.sequence)) {
            if !self.lost.contains(&event.sequence.0) {
                steps.push(Ok(Step::Event(Arc::new(event.clone()))));
            }
            if let Some(end) = self.commits.iter().find(|end| end.sequence == event.sequence) {
                steps.push(Ok(Step::CommitEnd(*end)));
            }
        }
        Ok(Box::new(steps.into_iter()))
    }

    fn get(&self, at: Sequence) -> Result<Option<Recorded>, FeedError> {
        let lost = self.lost.contains(&at.0);
        Ok(self.events.iter().find(|event| event.sequence == at && !lost).cloned())
    }

    fn chain_at(&self, at: Sequence) -> Result<ChainAt, FeedError> {
        if at > self.through().sequence {
            return Ok(ChainAt::Beyond);
        }
        let end = self.commits.iter().find(|end| end.sequence == at);
        Ok(end.map_or(ChainAt::NoCommitEnd, |end| ChainAt::Is(end.chain)))
    }

    fn content(&self, content: &Content) -> Option<Content> {
        match content {
            Content::Blob { .. } | Content::Repeated { .. } => None,
            other => Some(other.clone()),
        }
    }
}
