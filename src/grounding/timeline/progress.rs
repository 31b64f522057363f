//! Where a scope stands, read from what the index counts.

use super::{TimelinePosition, TimelineScope};
use crate::event::{Outcome, tool};
use crate::execution::query::{ExecutionSummary, QueryError, Reference, Stores, number, text};
use crate::store::Ask;

/// How many executions of a tool ended so, and the newest of them.
struct Tally {
    tool: String,
    outcome: String,
    executions: u64,
    at: (i64, i64),
    execution: i64,
}

impl Stores {
    /// Where a session, or the project, stands.
    pub fn get_timeline_position(
        &self,
        scope: TimelineScope,
    ) -> Result<TimelinePosition, QueryError> {
        let mut position = TimelinePosition {
            session: scope.session(),
            through_sequence: self.through()?,
            ..TimelinePosition::default()
        };
        let Some(session) = scope.number(self)? else { return Ok(position) };
        let mut tallies = self.tallies(session)?;
        tallies.sort_by_key(|tally| std::cmp::Reverse(tally.at));
        position.total_executions = tallies.iter().map(|tally| tally.executions).sum();
        let newest = |outcome: Option<Outcome>| -> Result<Option<ExecutionSummary>, QueryError> {
            let ended =
                |tally: &&Tally| outcome.is_none_or(|outcome| tally.outcome == outcome.as_str());
            let Some(tally) = tallies.iter().find(ended) else { return Ok(None) };
            self.judged("1", &[], tally.execution)
        };
        let ordinal = |row: Option<ExecutionSummary>| row.and_then(|row| row.ordinal);
        position.last_success = ordinal(newest(Some(Outcome::Ok))?);
        position.last_failure = ordinal(newest(Some(Outcome::Failed))?);
        position.last_execution = newest(None)?.map(Into::into);
        position.last_execution_id =
            position.last_execution.as_ref().and_then(|entry| entry.execution_id);
        let (steps, last_query_ms) = self.standing(session)?;
        let changes = tallies.iter().filter(|tally| {
            tool::is_mutation(&tally.tool) && tally.outcome == Outcome::Ok.as_str()
        });
        position.current_step = match steps {
            0 => changes.map(|tally| tally.executions).sum(),
            begun => begun,
        };
        position.last_query_ms = last_query_ms;
        Ok(position)
    }

    /// The last event that answers know of.
    pub fn last_sequence(&self) -> Result<u64, QueryError> {
        self.through()
    }

    pub(super) fn through(&self) -> Result<u64, QueryError> {
        Ok(self.index.cursor()?.map_or(0, |cursor| cursor.position.sequence))
    }

    /// The place of an execution, by its ordinal.
    pub(super) fn place_of(&self, ordinal: u64) -> Result<ExecutionSummary, QueryError> {
        self.resolve(&Reference::Ordinal(ordinal))
    }

    fn tallies(&self, session: i64) -> Result<Vec<Tally>, QueryError> {
        let sql = "SELECT tool, outcome, executions, at_ms, at_seq, execution FROM tallies \
                   WHERE session = ?1";
        Ok(self.index.rows(sql, [session], |row| {
            Ok(Tally {
                tool: row.get(0)?,
                outcome: row.get(1)?,
                executions: row.get(2)?,
                at: (row.get(3)?, row.get(4)?),
                execution: row.get(5)?,
            })
        })?)
    }

    fn standing(&self, session: i64) -> Result<(u64, Option<u64>), QueryError> {
        let sql = "SELECT steps, last_read_ms FROM standings WHERE session = ?1";
        let found = self.index.rows(sql, [session], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.into_iter().next().unwrap_or_default())
    }

    /// The session with this id, one that begins so, or that the agent calls so; of several the
    /// newest.
    pub fn session_named(&self, name: &str) -> Result<crate::event::SessionId, QueryError> {
        let mut newest = None;
        for found in self.session_numbers(name)? {
            let sql = "SELECT last_seq, id FROM sessions WHERE number = ?1";
            let rows = self.index.answer(sql, &[Ask::Number(found)], |row| {
                Ok((row.get::<_, u64>(0)?, row.get::<_, String>(1)?))
            })?;
            newest = newest.max(rows.into_iter().next());
        }
        let found = newest.map(|(_, id)| crate::execution::query::session(&id));
        found.ok_or_else(|| QueryError::NotFound { reference: name.to_owned() })
    }

    /// The session with the newest event; `None` where there is none.
    pub fn newest_session(&self) -> Result<Option<crate::event::SessionId>, QueryError> {
        let sql = "SELECT id FROM sessions ORDER BY last_ms DESC, number DESC LIMIT ?1";
        let found = self.index.answer(sql, &[number(1)], |row| row.get::<_, String>(0))?;
        Ok(found.first().map(|id| crate::execution::query::session(id)))
    }

    /// Whether a session is known.
    pub(super) fn knows_session(&self, id: &str) -> Result<bool, QueryError> {
        let sql = "SELECT 1 FROM sessions WHERE id = ?1";
        Ok(!self.index.answer(sql, &[text(id)], |_| Ok(()))?.is_empty())
    }
}
