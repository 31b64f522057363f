//! What the index tells a gate: the executions that are cited, and where a session begins.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::{Citation, Result};
use crate::event::{Body, ExecutionId, Sequence, SessionId};
use crate::execution::query::{Identity, IndexedRow, QueryError};
use crate::grounding::fold::{
    Grounding, GroundingRules, Hex, Ordinals, Row, RowState, session_tag, tag,
};
use crate::journal::{JournalReader, Project, ReplayItem};

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
    pub fn find(&self, citation: &Citation) -> Result<Option<ExecutionId>> {
        let past = match self.past.get() {
            Some(past) => past,
            None => {
                let past = Past::read(self.project)?;
                self.past.get_or_init(|| past)
            }
        };
        if let Citation::Id(id) = citation
            && past.tail.contains(id)
        {
            return Ok(Some(*id));
        }
        let Some(index) = &past.index else { return Ok(None) };
        let found = match citation {
            Citation::Id(id) => index.execution_by_id(*id),
            Citation::Ordinal(ordinal) => index.execution_by_ordinal(*ordinal),
        };
        // An index that cannot be asked knows nothing; `status` says why.
        Ok(found.ok().flatten().map(|known| known.id))
    }
}

impl Past {
    fn read(project: &Project) -> Result<Self> {
        let reader = project.reader()?;
        let (index, through) = usable_index(project, &reader).unzip();
        let through = through.unwrap_or(Sequence(0));
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

/// A fold of a session up to where the index knows that nothing of it lies before; `None` where
/// there is no index to ask, and the journal is read from its beginning.
pub fn seed(
    project: &Project,
    reader: &JournalReader,
    session: SessionId,
    rules: &mut GroundingRules,
) -> Option<Grounding> {
    let (index, through) = usable_index(project, reader)?;
    let mut seeded = || -> Result<Grounding, QueryError> {
        let first = index.first_of_session(session)?;
        let before = first.unwrap_or(Sequence(through.0 + 1));
        let counted = index.counted_before(before)?;
        let rows = counted.newest.iter().map(row);
        let aliases = counted.void_starts.iter().map(|(id, first)| (tag(*id), tag(*first)));
        let ordinals = Ordinals::seeded(counted.ordinals, &counted.tools, rows, aliases);
        let through = Sequence(before.0.saturating_sub(1));
        let mut grounding = Grounding::seeded(session, through, ordinals);
        if through.0 > 0 {
            grounding.begin_in(index.root()?.unwrap_or_default());
        }
        if let Some(list) = index.checks_before(before)? {
            rules.is_foreign = !project.is_believed();
            grounding.declare(&list, rules);
        }
        Ok(grounding)
    };
    // An index that cannot be asked is passed over: the journal is read instead.
    seeded().ok()
}

fn row(row: &IndexedRow) -> Row {
    let state = match (row.ordinal, row.has_ended) {
        (Some(_), _) => RowState::Numbered,
        (None, true) => RowState::Ended,
        (None, false) => RowState::Open,
    };
    // As `call_tag` has it: the index keeps the very text.
    let call = row.call_key.as_deref().map_or(0, |key| Hex::of_text("call", key).call_tag());
    let session = row.session.map_or(0, session_tag);
    Row { id: tag(row.id), call, session, state }
}
