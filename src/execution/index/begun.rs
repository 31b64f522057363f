//! The row of an execution, written once where it ends soon after it began: until then its beginning is kept.

use rusqlite::params;

use super::Index;
use super::open::KnownRow;
use crate::store::StoreError;
use crate::store::columns::insert;

/// What only the row has of an execution's beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Begun {
    pub call_key: Option<String>,
    pub source: &'static str,
    pub actor: Option<String>,
    pub parent: Option<String>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub target: Option<String>,
    pub arguments_digest: Option<[u8; 16]>,
    pub started_ms: Option<i64>,
    pub untimed: Option<i64>,
}

/// What its end says of an execution.
#[derive(Clone, Debug)]
pub(super) struct Ended<'a> {
    pub ordinal: Option<u64>,
    pub outcome: &'static str,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<i64>,
    pub error: Option<&'a str>,
    pub diagnostic: Option<String>,
    pub at_seq: u64,
    pub at_ms: i64,
    pub corrects: Option<&'a str>,
    pub tool: &'a str,
    pub said: Option<[u8; 16]>,
    pub told: &'static str,
    pub checked: Option<&'static str>,
    pub program: Option<&'a str>,
    pub verdict: Option<&'static str>,
    pub basis: Option<&'static str>,
    pub telling: Option<&'a str>,
    pub need: Option<&'a str>,
    pub partial: Option<i64>,
    pub asks: Option<i64>,
    pub tests_ran: Option<i64>,
    pub tests_skipped: Option<i64>,
    pub tests_passed: Option<Vec<u8>>,
    pub untimed: Option<i64>,
}

impl Index {
    /// Writes the row of one that is open still.
    pub(super) fn write_begun(&self, known: &KnownRow, begun: &Begun) -> Result<(), StoreError> {
        let Begun { call_key, source, actor, parent, cwd, branch, target, .. } = begun;
        insert!(
            self,
            executions {
                seq: known.seq,
                id: known.id,
                call_key,
                session: known.session,
                source,
                tool: known.tool,
                native_tool: known.native_tool,
                actor,
                parent,
                cwd,
                branch,
                target,
                command: known.command,
                started_seq: known.started_seq,
                started_ms: begun.started_ms,
                at_seq: known.at_seq,
                at_ms: known.at_ms,
                target_key: known.target_key,
                asks: known.asks.then_some(1),
                arguments_digest: begun.arguments_digest,
                untimed: begun.untimed,
            }
        )
        .map(drop)
    }

    /// Writes the whole row of one that has ended.
    pub(super) fn write_whole(
        &self,
        known: &KnownRow,
        begun: &Begun,
        ended: Ended<'_>,
    ) -> Result<(), StoreError> {
        let Begun { call_key, source, actor, parent, cwd, branch, target, .. } = begun;
        insert!(
            self,
            executions {
                seq: known.seq,
                id: known.id,
                ordinal: ended.ordinal,
                call_key,
                session: known.session,
                source,
                tool: ended.tool,
                native_tool: known.native_tool,
                actor,
                parent,
                cwd,
                branch,
                target,
                command: known.command,
                target_key: known.target_key,
                arguments_digest: begun.arguments_digest,
                outcome: ended.outcome,
                told: ended.told,
                exit_code: ended.exit_code,
                duration_ms: ended.duration_ms,
                error: ended.error,
                diagnostic: ended.diagnostic,
                said: ended.said,
                checked: ended.checked,
                program: ended.program,
                verdict: ended.verdict,
                basis: ended.basis,
                telling: ended.telling,
                need: ended.need,
                partial: ended.partial,
                tests_ran: ended.tests_ran,
                tests_skipped: ended.tests_skipped,
                tests_passed: ended.tests_passed,
                asks: ended.asks,
                started_seq: known.started_seq,
                started_ms: begun.started_ms,
                closed_seq: ended.at_seq,
                closed_ms: ended.at_ms,
                at_seq: ended.at_seq,
                at_ms: ended.at_ms,
                corrects: ended.corrects,
                untimed: begun.untimed.or(ended.untimed),
            }
        )
        .map(drop)
    }

    /// Gives a row that is there its end.
    pub(super) fn write_ended(&self, seq: u64, ended: Ended<'_>) -> Result<(), StoreError> {
        self.write(
            "closing an execution",
            "UPDATE executions SET ordinal = ?2, outcome = ?3, exit_code = ?4, duration_ms = ?5, \
             error = ?6, diagnostic = ?7, closed_seq = ?8, closed_ms = ?9, at_seq = ?8, at_ms = ?9, \
             corrects = ?10, tool = ?11, said = ?12, told = ?13, checked = ?14, program = ?15, \
             verdict = ?16, basis = ?17, telling = ?18, need = ?19, partial = ?20, asks = ?21, \
             tests_ran = ?22, tests_skipped = ?23, tests_passed = ?24, \
             untimed = coalesce(?25, untimed) WHERE seq = ?1",
            params![
                seq,
                ended.ordinal,
                ended.outcome,
                ended.exit_code,
                ended.duration_ms,
                ended.error,
                ended.diagnostic,
                ended.at_seq,
                ended.at_ms,
                ended.corrects,
                ended.tool,
                ended.said,
                ended.told,
                ended.checked,
                ended.program,
                ended.verdict,
                ended.basis,
                ended.telling,
                ended.need,
                ended.partial,
                ended.asks,
                ended.tests_ran,
                ended.tests_skipped,
                ended.tests_passed,
                ended.untimed,
            ],
        )
        .map(drop)
    }
}
