//! A project's stores, open for questions: how much is in them, their sessions, and what none could take.

use std::cell::OnceCell;

use serde::Serialize;

use super::{CodeGraph, QueryError, number, text};
use crate::event::{ExecutionId, RecordedLoss, Sequence, SessionId, wire};
use crate::execution::index::IndexReader;
use crate::execution::log::{ExecutionLogReader, StoredExecution};
use crate::store::columns::columns;
use crate::store::{Ask, StoreError, StorePlaces};

/// The stores of a project, open for questions.
#[derive(Debug)]
pub struct Stores {
    pub(crate) index: IndexReader,
    /// `None`: nobody asks for the arguments of a call, or what it printed.
    pub(crate) log: Option<ExecutionLogReader>,
    /// Opened by the first who asks for it: nothing else depends on the graph.
    graph: OnceCell<Result<CodeGraph, QueryError>>,
    /// Where they lie, also those that are opened by who asks for them.
    pub(crate) places: StorePlaces,
    /// What executions of this journal are told from others' by; `None` where it is the only one.
    pub journal: Option<String>,
}

impl Stores {
    /// Opens a project's stores as they stand: catch up first to see what was just recorded.
    pub fn open(places: &StorePlaces) -> Result<Self, StoreError> {
        let log = ExecutionLogReader::open(places.execution_log())?;
        Self::of(places, IndexReader::open(places.index())?, Some(log))
    }

    /// As [`Self::open`], for who asks nothing that stands in the log.
    pub fn of_index(places: &StorePlaces) -> Result<Self, StoreError> {
        Self::of(places, IndexReader::open(places.index())?, None)
    }

    pub(crate) fn of(
        places: &StorePlaces,
        index: IndexReader,
        log: Option<ExecutionLogReader>,
    ) -> Result<Self, StoreError> {
        if log.is_some() {
            index.attach(places.execution_log())?;
        }
        index.keep_pages()?;
        let graph = OnceCell::new();
        Ok(Self { index, log, graph, places: places.clone(), journal: None })
    }

    /// The log's row of this ordinal.
    pub(crate) fn stored(&self, ordinal: u64) -> Result<Option<StoredExecution>, StoreError> {
        self.log.as_ref().map_or(Ok(None), |log| log.execution(ordinal))
    }

    /// The graph of the code, or why it cannot be asked.
    pub fn graph(&self) -> Result<&CodeGraph, &QueryError> {
        self.graph.get_or_init(|| CodeGraph::open(self.places.code_graph())).as_ref()
    }

    /// The same, for a question that has no other answer.
    pub fn code(&self) -> Result<&CodeGraph, QueryError> {
        self.graph().map_err(|why| QueryError::NoGraph { why: why.to_string() })
    }

    pub fn counts(&self) -> Result<Counts, QueryError> {
        let mut counts = Counts {
            sessions: self.count("SELECT count(*) FROM sessions")?,
            prompts: self.count("SELECT count(*) FROM prompts")?,
            corrected: self
                .count("SELECT count(*) FROM executions WHERE corrected_by IS NOT NULL")?,
            anomalies: self.count("SELECT count(*) FROM anomalies")?,
            unreadable_lines: self
                .count("SELECT count(*) FROM anomalies WHERE kind = 'unreadable line'")?,
            results_without_call: self
                .count("SELECT count(*) FROM anomalies WHERE kind = 'result without call'")?,
            ..Counts::default()
        };
        let sql = "SELECT outcome, count(*) FROM executions WHERE corrected_by IS NULL \
                   GROUP BY outcome";
        for (outcome, count) in self.index.all::<(Option<String>, u64)>(sql, [])? {
            counts.calls += count;
            match outcome.as_deref() {
                None => counts.open += count,
                Some("ok") => counts.ok += count,
                Some("failed") => counts.failed += count,
                Some("refused") => counts.refused += count,
                Some(_) => counts.interrupted += count,
            }
        }
        counts.errors = counts.failed + counts.refused;
        counts.results = counts.ok + counts.errors;
        Ok(counts)
    }

    fn count(&self, sql: &str) -> Result<u64, QueryError> {
        Ok(self.index.cell(sql, [])?.unwrap_or(0))
    }

    /// The newest anomalies without [`Self::recorded_losses`], the oldest of them first.
    pub fn anomalies(&self, last: usize) -> Result<Vec<StoredAnomaly>, QueryError> {
        self.stored_anomalies("<>", last)
    }

    /// The newest losses that the journal itself tells of, the oldest of them first.
    pub fn recorded_losses(&self, last: usize) -> Result<Vec<StoredAnomaly>, QueryError> {
        self.stored_anomalies("=", last)
    }

    fn stored_anomalies(&self, is: &str, last: usize) -> Result<Vec<StoredAnomaly>, QueryError> {
        let sql = format!(
            "SELECT seq, kind, execution, message FROM anomalies WHERE kind {is} ?1 \
             ORDER BY number DESC LIMIT ?2"
        );
        let asked = [text(RecordedLoss::KIND), number(last as u64)];
        let mut found = self.index.answer(
            &sql,
            &asked,
            |row| columns!(row => StoredAnomaly { sequence, kind, execution, message }),
        )?;
        found.reverse();
        Ok(found)
    }

    /// Sessions by their last event, the newest last.
    pub fn sessions(&self, filter: &SessionFilter) -> Result<Vec<SessionSummary>, QueryError> {
        let counted = |outcome: &str| {
            format!(
                "(SELECT count(*) FROM executions e WHERE e.session = s.number \
                 AND e.corrected_by IS NULL{outcome})"
            )
        };
        let of = |outcome: &str| counted(&format!(" AND e.outcome = '{outcome}'"));
        let sql = format!(
            "SELECT NULL, s.id, s.agent, s.native_id, coalesce(s.title, \
             (SELECT substr(text, 1, 200) FROM prompts p WHERE p.session = s.number \
              ORDER BY p.seq LIMIT 1)), s.model, s.parent, s.cwd, s.branch, s.first_ms, s.last_ms, \
             s.ended_seq IS NOT NULL, \
             (SELECT count(*) FROM prompts p WHERE p.session = s.number), {}, {}, {}, {} \
             FROM sessions s WHERE ?1 = '' OR s.agent = ?1 \
             ORDER BY s.last_ms DESC, s.number DESC LIMIT ?2",
            counted(""),
            of("failed"),
            of("refused"),
            of("interrupted"),
        );
        let last = filter.last.and_then(|last| i64::try_from(last).ok()).unwrap_or(-1);
        let agent = filter.agent.clone().unwrap_or_default();
        let asked = [Ask::Text(agent), Ask::Number(last)];
        let mut found: Vec<SessionSummary> = self.index.answer(&sql, &asked, |row| {
            columns!(row => SessionSummary {
                journal, id, agent, native_id, title, model, parent, cwd, branch, first_ms, last_ms, ended,
                prompts, calls, failed, refused, interrupted,
            })
        })?;
        if let Some(journal) = &self.journal {
            found.iter_mut().for_each(|row| row.journal = Some(journal.clone()));
        }
        found.reverse();
        Ok(found)
    }
}

/// What no store could take as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StoredAnomaly {
    pub sequence: Sequence,
    pub kind: String,
    pub execution: Option<ExecutionId>,
    pub message: String,
}

/// How much there is of everything. A corrected execution is counted by its correction alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub sessions: u64,
    pub prompts: u64,
    /// Executions, open ones included.
    pub calls: u64,
    /// Of them, those whose result was seen: ok, failed or refused.
    pub results: u64,
    /// Results that were not ok: failed or refused.
    pub errors: u64,
    pub ok: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
    pub open: u64,
    /// Executions that count by their correction.
    pub corrected: u64,
    pub anomalies: u64,
    /// Of them, transcript lines that could not be read.
    pub unreadable_lines: u64,
    /// Of them, results whose call no transcript has.
    pub results_without_call: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// At most this many, the newest; all where it is `None`.
    pub last: Option<usize>,
    pub agent: Option<String>,
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    pub journal: Option<String>,
    #[serde(rename = "session")]
    pub id: SessionId,
    /// Empty where no SessionStarted was seen.
    #[serde(serialize_with = "wire::filled")]
    pub agent: String,
    #[serde(serialize_with = "wire::filled")]
    pub native_id: String,
    /// Where there is none, the beginning of the first prompt.
    pub title: Option<String>,
    pub model: Option<String>,
    pub parent: Option<SessionId>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    #[serde(rename = "began", serialize_with = "wire::utc")]
    pub first_ms: u64,
    #[serde(rename = "last", serialize_with = "wire::utc")]
    pub last_ms: u64,
    pub ended: bool,
    pub prompts: u64,
    /// Executions, open ones included, corrected ones counted by their correction.
    pub calls: u64,
    pub failed: u64,
    pub refused: u64,
    pub interrupted: u64,
}
