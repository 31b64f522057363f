//! A source's records in its own order, commit by commit, some at a time.

use std::collections::VecDeque;

use annals_journal_format::frame::Carried;
use annals_journal_format::reader::Bookmark;
use annals_journal_format::storage::SourceStorage;
use annals_journal_format::tree::{LeafStep, leaves};
use annals_journal_format::verify::VerifyFrom;

use super::origin::{self, Origin, Told};
use super::{Input, MergeError};
use crate::event::{Kind, Sequence};
use crate::journal::{JournalError, JournalReader};

/// Bytes of frames that are read at a time.
const PIECE_BYTES: usize = 2 << 20;

/// A record, where it stands in its source, and where it comes from.
#[derive(Debug)]
pub(super) struct Taken {
    /// Its number in the source at hand.
    pub local: u64,
    pub origin: Origin,
    /// FIRST and LAST, as it has them there.
    pub ends: u8,
    pub carried: Carried,
}

pub(super) struct Walker {
    input: Input,
    storage: SourceStorage,
    pub id: [u8; 16],
    through: u64,
    from: Option<VerifyFrom>,
    held: VecDeque<Vec<Taken>>,
    told: Told,
    is_over: bool,
    /// Findings of what is lost.
    pub lost: u64,
}

impl Walker {
    pub fn of(input: &Input, through: Sequence) -> Result<Self, MergeError> {
        let id = JournalReader::reading(&input.journal, input.reading)?.id();
        Ok(Self {
            storage: input.reading.storage(&input.journal)?,
            input: input.clone(),
            id,
            through: through.0,
            from: None,
            held: VecDeque::new(),
            told: Told::default(),
            is_over: false,
            lost: 0,
        })
    }

    /// The records of the next commit.
    pub fn next(&mut self) -> Result<Option<Vec<Taken>>, MergeError> {
        while self.held.is_empty() && !self.is_over {
            self.read()?;
        }
        Ok(self.held.pop_front())
    }

    fn read(&mut self) -> Result<(), MergeError> {
        let Self { held, told, id, through, .. } = self;
        let (mut commit, mut bytes, mut lost) = (Vec::new(), 0, 0);
        let (mut end, mut is_over): (Option<Bookmark>, bool) = (None, true);
        let mut take = |step: LeafStep<'_>| match step {
            LeafStep::Lost(_) => {
                lost += 1;
                true
            }
            LeafStep::Leaf { sequence, .. } if sequence.0 > *through => false,
            LeafStep::Leaf { sequence, leaf, frame } => {
                let carried = Carried::of(frame);
                bytes += carried.frame_bytes();
                let own = Origin { journal: *id, sequence: Sequence(sequence.0), leaf };
                let (origin, ends) =
                    told.next(&carried).unwrap_or((own, carried.flags.0 & origin::ENDS.0));
                if Kind(carried.kind) == Kind::JOURNALS_MERGED && origin.journal == *id {
                    told.take(&carried);
                }
                commit.push(Taken { local: sequence.0, origin, ends, carried });
                true
            }
            LeafStep::Commit(at) => {
                told.clear();
                held.push_back(std::mem::take(&mut commit));
                end = Some(at);
                is_over = bytes < PIECE_BYTES;
                is_over
            }
        };
        let walked = leaves(&self.storage, &self.input.journal, self.from, false, &mut take);
        walked.map_err(|source| JournalError::Read { path: self.input.journal.clone(), source })?;
        // One whose last frame is damaged has no end.
        if !commit.is_empty() {
            self.held.push_back(commit);
        }
        self.lost += lost;
        self.is_over = is_over;
        if let Some(at) = end {
            self.from =
                Some(VerifyFrom { segment: at.end.segment, at: Some((at.end.offset, at.mark)) });
        }
        Ok(())
    }
}
