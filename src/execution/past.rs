//! What `index.db` knows of the journal, for a recorder: it need not read the journal from its beginning.
//!
//! An index that is missing, foreign, ahead of the journal or unreadable is passed over.

use std::sync::Arc;

use super::query::{Identity, KnownExecution, KnownSession, QueryError};
use crate::event::{
    CallKey, CheckList, ExecutionId, Outcome, Sequence, SessionId, SessionStarted, Source,
    TranscriptFlawed,
};
use crate::journal::recorder::{
    Called, Compared, Ended, ExecutionFact, MessageFact, Past, PastFault, RecordMode, Recorder,
    SessionFact, State, TurnFact,
};
use crate::journal::{JournalReader, Project, RecordError, RecordReport, has_dead_owners};
use crate::store::stamp;

/// So long a journal is read where the index may have been changed by another program: what it does not find
/// would be recorded a second time.
const READ_EVENTS_MAX: Sequence = Sequence(20_000);

/// Records what happens now, in durable commits.
pub fn live_recorder(project: &Project) -> Recorder<'_> {
    Recorder::new(project, RecordMode::Live, open)
}

/// Records what transcripts tell, in staged commits.
pub fn import_recorder(project: &Project) -> Recorder<'_> {
    Recorder::new(project, RecordMode::Import, open_for_import)
}

/// Records as interrupted what a dead owner left open, and does next to nothing where none died: what every
/// command that shows executions can afford to do first.
pub fn sweep_dead_owners(project: &Project) -> Result<RecordReport, RecordError> {
    match has_dead_owners(&project.owners_dir()) {
        true => live_recorder(project).sweep_dead_owners(),
        false => Ok(RecordReport::default()),
    }
}

struct IndexedPast {
    index: Identity,
    through: Sequence,
    /// Who has it is soon done.
    is_brief: bool,
    /// Of no call anything is known, nor will be.
    has_none: bool,
}

fn open(project: &Project, reader: &JournalReader) -> Option<Box<dyn Past>> {
    opened(project, reader, false)
}

/// An import asks for every record and does not last: all of one moment.
fn open_for_import(project: &Project, reader: &JournalReader) -> Option<Box<dyn Past>> {
    opened(project, reader, true)
}

fn opened(project: &Project, reader: &JournalReader, is_brief: bool) -> Option<Box<dyn Past>> {
    let usable = || -> Result<_, QueryError> {
        let path = project.index_path();
        if reader.mark().sequence <= READ_EVENTS_MAX && stamp::is_doubtful_now(&path) {
            return Ok(None);
        }
        let index = Identity::open(&path)?;
        index.index.keep_moment()?;
        let of_this = |(journal, through): &([u8; 16], Sequence)| {
            *journal == reader.id() && *through <= reader.mark().sequence
        };
        let has_none = is_brief && !index.has_executions()?;
        Ok(index.through()?.filter(of_this).map(|(_, through)| IndexedPast {
            index,
            through,
            is_brief,
            has_none,
        }))
    };
    // Whatever is wrong with it is catch-up's to tell; here it only costs time.
    usable().ok().flatten().map(|past| Box::new(past) as Box<dyn Past>)
}

impl Past for IndexedPast {
    fn through(&self) -> Sequence {
        self.through
    }

    fn let_go(&self) -> Result<(), PastFault> {
        // A moment that is kept keeps others from putting the `-wal` into the store.
        if !self.is_brief {
            self.index.index.let_go()?;
        }
        Ok(())
    }

    fn tools(&self) -> Result<Vec<String>, PastFault> {
        Ok(self.index.tools_in_force()?)
    }

    fn checks(&self) -> Result<CheckList, PastFault> {
        Ok(self.index.checks_before(Sequence(u64::MAX))?.unwrap_or_default())
    }

    fn call(&self, call: &CallKey) -> Result<Option<ExecutionId>, PastFault> {
        if self.has_none {
            return Ok(None);
        }
        Ok(self.index.execution_by_call(call)?.map(|known| known.id))
    }

    fn execution(&self, execution: ExecutionId) -> Result<Option<ExecutionFact>, PastFault> {
        if self.has_none {
            return Ok(None);
        }
        let Some(known) = self.index.execution_by_id(execution)? else { return Ok(None) };
        let corrected_by = known.corrected_by;
        let mut fact = execution_fact(known);
        if let Some(id) = corrected_by {
            let by = self.index.execution_by_id(id)?;
            let ended = by.map_or(Ended::Unknown, |by| execution_fact(by).ended());
            fact.compared = Some(Box::new(Compared { called: fact.called(), ended }));
        }
        Ok(Some(fact))
    }

    fn open_executions(&self) -> Result<Vec<(ExecutionId, ExecutionFact)>, PastFault> {
        let open = self.index.open_executions(None)?;
        Ok(open.into_iter().map(|known| (known.id, execution_fact(known))).collect())
    }

    fn session(&self, session: SessionId) -> Result<Option<SessionFact>, PastFault> {
        Ok(self.index.session(session)?.map(session_fact))
    }

    fn turn(&self, session: SessionId) -> Result<TurnFact, PastFault> {
        let Some((is_stepped, ran, last)) = self.index.turn(session)? else {
            return Ok(TurnFact::default());
        };
        let is_imported = last.map(|source| source == Source::Import);
        Ok(TurnFact { is_stepped, ran, is_imported })
    }

    fn has_prompt(&self, native_id: &str) -> Result<bool, PastFault> {
        Ok(self.index.prompt_known(native_id)?)
    }

    fn message(&self, native_id: &str) -> Result<Option<MessageFact>, PastFault> {
        Ok(self.index.message(native_id)?)
    }

    fn has_mark(&self, kind: &str, native_id: &str) -> Result<bool, PastFault> {
        Ok(self.index.mark_known(kind, native_id)?)
    }

    fn has_flaw(&self, flaw: &TranscriptFlawed) -> Result<bool, PastFault> {
        let TranscriptFlawed { file, line, flaw, detail, .. } = flaw;
        Ok(self.index.flaw_known(file, *line, flaw.as_str(), detail)?)
    }

    fn content(&self, hash: &[u8; 32]) -> Result<Option<Sequence>, PastFault> {
        Ok(self.index.content(hash)?)
    }
}

fn execution_fact(known: KnownExecution) -> ExecutionFact {
    let state = match (known.outcome, known.corrected_by) {
        (None, _) => State::Open,
        (Some(Outcome::Interrupted), None) => State::Interrupted,
        _ => State::Closed,
    };
    let (session, source) = (known.session, known.source);
    let called = known.sequence.map_or(Called::Unknown, Called::At);
    let ended = known.closed.map_or(Ended::Unknown, Ended::At);
    let compared = Some(Box::new(Compared { called, ended }));
    ExecutionFact { session, tool: Arc::from(known.tool), state, source, compared }
}

fn session_fact(known: KnownSession) -> SessionFact {
    let (last_ms, ended) = (known.last_ms, known.ended);
    // A session that only other events told of has no name yet.
    let named = !known.agent.is_empty() || !known.native_id.is_empty();
    let started = named.then_some(SessionStarted {
        agent: known.agent,
        native_id: known.native_id,
        agent_version: known.agent_version,
        model: known.model,
        parent: known.parent,
        cwd: known.cwd,
        branch: known.branch,
        title: known.title,
    });
    SessionFact { last_ms, started, ended, turn: TurnFact::default() }
}
