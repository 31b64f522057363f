//! Looks cited executions up: in `index.db`, and in what the journal has beyond it.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::{Citation, GateError};
use crate::event::{Body, ExecutionId, Sequence};
use crate::execution::query::Identity;
use crate::journal::{JournalReader, Project, ReplayItem};

/// Looks executions up by their ids, as far as the journal has them.
pub struct Cited<'p> {
    project: &'p Project,
    past: OnceCell<Past>,
}

struct Past {
    index: Option<Identity>,
    /// Executions that began or ended beyond the index.
    tail: BTreeSet<ExecutionId>,
}

impl<'p> Cited<'p> {
    pub fn new(project: &'p Project) -> Self {
        Self { project, past: OnceCell::new() }
    }

    /// The id of a cited execution; `None` where there is none such, or an ordinal's id is not
    /// known.
    pub fn find(&self, citation: &Citation) -> Result<Option<ExecutionId>, GateError> {
        let past = match self.past.get() {
            Some(past) => past,
            None => {
                let past = Past::read(self.project)?;
                self.past.get_or_init(|| past)
            }
        };
        // An index that cannot be asked knows nothing; `status` says why.
        Ok(match citation {
            Citation::Id(id) if past.tail.contains(id) => Some(*id),
            Citation::Id(id) => past
                .index
                .as_ref()
                .and_then(|index| index.execution_by_id(*id).ok().flatten()) // as above
                .map(|known| known.id),
            Citation::Ordinal(ordinal) => past
                .index
                .as_ref()
                .and_then(|index| index.execution_by_ordinal(*ordinal).ok().flatten()) // as above
                .map(|known| known.id),
        })
    }
}

impl Past {
    fn read(project: &Project) -> Result<Self, GateError> {
        let reader = project.reader()?;
        let found = usable_index(project, &reader);
        let (index, through) = match found {
            Some((index, through)) => (Some(index), through),
            None => (None, Sequence(0)),
        };
        let mut tail = BTreeSet::new();
        for item in reader.replay(Sequence(through.0 + 1), None) {
            let ReplayItem::Event(recorded) = item? else { continue };
            match recorded.event.body {
                Body::ExecutionStarted(started) => tail.insert(started.execution),
                Body::ExecutionFinished(finished) => tail.insert(finished.execution),
                Body::ExecutionInterrupted(interrupted) => tail.insert(interrupted.execution),
                Body::ExecutionCorrected(corrected) => tail.insert(corrected.execution),
                _ => continue,
            };
        }
        Ok(Self { index, tail })
    }
}

/// The index, where it is of this journal and not ahead of it; and how far it has read.
pub(crate) fn usable_index(
    project: &Project,
    reader: &JournalReader,
) -> Option<(Identity, Sequence)> {
    // Whatever is wrong with it is catch-up's to tell: here it only costs time.
    let index = Identity::open(&project.index_path()).ok()?;
    let (journal, through) = index.through().ok()??; // as above
    (journal == reader.id() && through <= reader.mark().sequence).then_some((index, through))
}
