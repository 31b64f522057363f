//! Executions as they begin and end.

use std::sync::Arc;

use super::fact::{Compared, Ended, ExecutionFact, State, Told};
use super::{Facts, RecordError, RecordMode};
use crate::event::{Event, ExecutionId, SessionId, Source};

impl Facts {
    pub(super) fn end(
        &mut self,
        event: &Event,
        execution: ExecutionId,
        tool: &str,
        state: State,
    ) -> Result<(), RecordError> {
        let mut fact = match self.execution(execution)? {
            Some(fact) => fact,
            // A result without its call: known from here on, so that it is not taken twice.
            None => self.fact(tool, event.envelope.session, event.envelope.source, state),
        };
        fact.state = state;
        if self.mode == RecordMode::Live {
            let ended = Told::of_body(&event.body).map_or(Ended::Unknown, Ended::Told);
            fact.compared = Some(Box::new(Compared { called: fact.called(), ended }));
        }
        self.new.executions.insert(execution, fact);
        Ok(())
    }

    /// A name is kept once, however many executions bear it.
    pub(super) fn fact(
        &self,
        tool: &str,
        session: Option<SessionId>,
        source: Source,
        state: State,
    ) -> ExecutionFact {
        let known = self.held.tools.get(tool).or_else(|| self.new.tools.get(tool));
        let tool = known.cloned().unwrap_or_else(|| Arc::from(tool));
        ExecutionFact::new(session, tool, source, state)
    }
}
