//! What `index.db` knows, so that the journal need not be read from its beginning.
//!
//! Recording never depends on a store: an index that is missing, foreign, ahead of the journal or
//! unreadable is passed over, and the journal read in its place.

use std::sync::Arc;

use super::{Called, Ended, ExecutionFact, SessionFact, State};
use crate::event::{
    CallKey, ExecutionId, Outcome, Sequence, SessionId, SessionStarted, TranscriptFlawed,
};
use crate::execution::query::{Identity, KnownExecution, KnownSession, QueryError};
use crate::journal::{JournalReader, Project, RecordError};
use crate::store::stamp;

/// So long a journal is read where the index may have been changed by another program: what it does not find
/// would be recorded a second time.
const READ_EVENTS_MAX: Sequence = Sequence(20_000);

pub(crate) struct Past {
    /// The index and how far it has read; `None` where it knows nothing.
    index: Option<(Identity, Sequence)>,
}

impl Past {
    pub(super) fn open(project: &Project, reader: &JournalReader) -> Self {
        let usable = || -> Result<_, QueryError> {
            let path = project.index_path();
            if reader.mark().sequence <= READ_EVENTS_MAX && stamp::is_doubtful_now(&path) {
                return Ok(None);
            }
            let index = Identity::open(&path)?;
            let of_this = |(journal, through): &([u8; 16], Sequence)| {
                *journal == reader.id() && *through <= reader.mark().sequence
            };
            Ok(index.through()?.filter(of_this).map(|(_, through)| (index, through)))
        };
        // Whatever is wrong with it is catch-up's to tell; here it only costs time.
        Self { index: usable().unwrap_or(None) }
    }

    pub(super) fn nothing() -> Self {
        Self { index: None }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.index.is_none()
    }

    pub(super) fn through(&self) -> Sequence {
        self.index.as_ref().map_or(Sequence(0), |(_, through)| *through)
    }

    pub(super) fn tools(&self) -> Result<Vec<Arc<str>>, RecordError> {
        let tools = self.ask(Identity::tools_in_force)?.unwrap_or_default();
        Ok(tools.into_iter().map(Arc::from).collect())
    }

    pub(super) fn call(&self, call: &CallKey) -> Result<Option<ExecutionId>, RecordError> {
        let known = self.ask(|index| index.execution_by_call(call))?.flatten();
        Ok(known.map(|known| known.id))
    }

    pub(super) fn execution(
        &self,
        execution: ExecutionId,
    ) -> Result<Option<ExecutionFact>, RecordError> {
        let known = self.ask(|index| index.execution_by_id(execution))?.flatten();
        let corrected_by = known.as_ref().and_then(|known| known.corrected_by);
        let Some(mut fact) = known.map(execution_fact) else { return Ok(None) };
        if let Some(id) = corrected_by {
            let by = self.ask(|index| index.execution_by_id(id))?.flatten();
            fact.ended = by.map_or(Ended::Unknown, |by| execution_fact(by).ended);
        }
        Ok(Some(fact))
    }

    pub(super) fn session(&self, session: SessionId) -> Result<Option<SessionFact>, RecordError> {
        Ok(self.ask(|index| index.session(session))?.flatten().map(session_fact))
    }

    pub(super) fn prompt_is_known(&self, native_id: &str) -> Result<bool, RecordError> {
        Ok(self.ask(|index| index.prompt_known(native_id))?.unwrap_or(false))
    }

    pub(super) fn flaw_is_known(&self, flaw: &TranscriptFlawed) -> Result<bool, RecordError> {
        let TranscriptFlawed { file, line, flaw, detail, .. } = flaw;
        let known = |index: &Identity| index.flaw_known(file, *line, flaw.as_str(), detail);
        Ok(self.ask(known)?.unwrap_or(false))
    }

    pub(super) fn content(&self, hash: &[u8; 32]) -> Result<Option<Sequence>, RecordError> {
        Ok(self.ask(|index| index.content(hash))?.flatten())
    }

    pub(super) fn open_executions(&self) -> Result<Vec<(ExecutionId, ExecutionFact)>, RecordError> {
        let open = self.ask(|index| index.open_executions(None))?.unwrap_or_default();
        Ok(open.into_iter().map(|known| (known.id, execution_fact(known))).collect())
    }

    fn ask<T>(
        &self,
        question: impl FnOnce(&Identity) -> Result<T, QueryError>,
    ) -> Result<Option<T>, RecordError> {
        self.index
            .as_ref()
            .map(|(index, _)| question(index))
            .transpose()
            .map_err(RecordError::Index)
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
    ExecutionFact { session, tool: Arc::from(known.tool), state, source, called, ended }
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
    SessionFact { last_ms, started, ended }
}
