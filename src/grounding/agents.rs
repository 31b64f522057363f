//! What is known of one agent: the gate's verdicts on its calls, and which of them are on record.

use crate::event::{CallKey, ExecutionId, GateMode};
use crate::execution::query::{QueryError, Stores};
use crate::store::Ask;

/// What the gate said to one agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentVerdicts {
    /// Calls that were denied.
    pub denied: u64,
    /// Calls that went on with the timeline given to the agent.
    pub advised: u64,
    /// Calls that were only noted.
    pub observed: u64,
    /// Calls that ran although they had been denied.
    pub bypassed: u64,
    /// The newest of those.
    pub last_bypass: Option<ExecutionId>,
}

impl Stores {
    /// What the gate said to one agent, in all its sessions.
    pub fn agent_verdicts(&self, agent: &str) -> Result<AgentVerdicts, QueryError> {
        let agent = Ask::Text(agent.to_owned());
        let mut verdicts = AgentVerdicts::default();
        let sql = "SELECT v.mode, count(*) FROM verdicts v JOIN sessions s ON s.number = v.session \
                   WHERE s.agent = ?1 GROUP BY v.mode";
        let modes = self
            .index
            .rows(sql, [&agent], |row| Ok((row.get::<_, String>(0)?, row.get::<_, u64>(1)?)))?;
        for (mode, count) in modes {
            match mode.as_str() {
                mode if mode == GateMode::Enforce.as_str() => verdicts.denied += count,
                mode if mode == GateMode::Advise.as_str() => verdicts.advised += count,
                _ => verdicts.observed += count,
            }
        }
        let sql = "SELECT b.execution FROM bypasses b JOIN sessions s ON s.number = b.session \
                   WHERE s.agent = ?1 ORDER BY b.seq";
        let bypasses = self.index.rows(sql, [&agent], |row| row.get::<_, String>(0))?;
        verdicts.bypassed = bypasses.len() as u64;
        verdicts.last_bypass = bypasses.last().map(|id| crate::execution::query::execution(id));
        Ok(verdicts)
    }

    /// How many of these calls are on record, whichever door they came by.
    pub fn recorded_calls<'c>(
        &self,
        calls: impl Iterator<Item = &'c CallKey>,
    ) -> Result<u64, QueryError> {
        let sql = "SELECT 1 FROM executions WHERE call_key = ?1";
        let mut recorded = 0;
        for call in calls {
            let key = Ask::Text(call.to_text());
            recorded += self.index.rows(sql, [&key], |_| Ok(()))?.len() as u64;
        }
        Ok(recorded)
    }
}
