//! One execution: how people name it, as a row of a list, and whole.

use std::fmt;

use serde::{Serialize, Serializer};

use super::{QueryError, Stores, number, text};
use crate::event::{ExecutionId, Outcome, Sequence, SessionId, wire};
use crate::execution::closed::is_redacted;
pub use crate::execution::index::PathRole;
use crate::parse::check::{Basis, Kind, Verdict};
use crate::store::Ask;
use crate::store::columns::columns;

/// Ids listed before a beginning counts as ambiguous.
const FOUND_MAX: usize = 10;

/// An execution in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExecutionSummary {
    /// Which of several journals it is in; `None` where one was asked.
    pub journal: Option<String>,
    /// Its rowid in `execution_log.db`; `None` while open, or where its tool is undeclared.
    #[serde(rename = "no")]
    pub ordinal: Option<u64>,
    #[serde(rename = "execution")]
    pub id: ExecutionId,
    /// The closing event's sequence; the start's while it is open; 0 where only the graph knows it.
    pub sequence: u64,
    pub session: Option<SessionId>,
    pub agent: Option<String>,
    /// The subagent that called, where it was not the session's main agent.
    pub actor: Option<String>,
    /// That event's time.
    #[serde(rename = "at", serialize_with = "wire::utc")]
    pub at_ms: u64,
    #[serde(skip)]
    pub started_ms: Option<u64>,
    pub tool: String,
    pub native_tool: Option<String>,
    /// `None` while it is open.
    #[serde(serialize_with = "outcome_or_open")]
    pub outcome: Option<Outcome>,
    /// How it ended by what its caller was told, where a check says otherwise.
    pub told: Option<Outcome>,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    /// Where only the times of its call and its result are known: it took no longer than what lies between
    /// them, which holds a person's time to permit it as well.
    pub duration_ms_max: Option<u64>,
    pub target: Option<String>,
    pub error: Option<String>,
    /// The first diagnostic in one line.
    pub diagnostic: Option<String>,
    /// The one line that says most of why it did not end well.
    pub telling: Option<String>,
    /// Of a check: what it looked at, by which program, how it ended, and what that rests on.
    #[serde(rename = "check")]
    pub checked: Option<Kind>,
    pub program: Option<String>,
    pub verdict: Option<Verdict>,
    pub basis: Option<Basis>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
    pub corrects: Option<ExecutionId>,
    pub corrected_by: Option<ExecutionId>,
}

/// Of `executions e` and `sessions s`, in the order of [`ExecutionSummary`].
const COLUMNS: &str = "NULL, e.ordinal, e.id, e.at_seq, s.id, nullif(s.agent, ''), e.actor, \
     e.at_ms, e.started_ms, e.tool, e.native_tool, e.outcome, nullif(e.told, e.outcome), \
     e.exit_code, e.duration_ms, e.target, e.error, e.diagnostic, e.telling, e.checked, e.program, \
     e.verdict, e.basis, e.cwd, e.branch, e.corrects, e.corrected_by";

/// What lies between the start and the end of what ran for nobody knows how long.
pub(super) const DURATION_MAX: &str = "CASE WHEN e.duration_ms IS NULL AND e.untimed IS NULL \
     AND e.outcome IN ('ok', 'failed') AND e.closed_ms > e.started_ms \
     THEN e.closed_ms - e.started_ms END";

/// What most questions are asked of.
pub(crate) const EXECUTIONS: &str = "executions e LEFT JOIN sessions s ON s.number = e.session";

/// The word for an execution that has not ended.
pub const OPEN: &str = "open";

fn outcome_or_open<S: Serializer>(outcome: &Option<Outcome>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(outcome.map_or(OPEN, Outcome::as_str))
}

/// How it ended, in words: `failed, behind a pipe` where its caller was told that it went well, `redacted`.
pub(crate) fn ended(outcome: Option<Outcome>, told: Option<Outcome>, why: Option<&str>) -> String {
    let word = outcome.map_or(OPEN, Outcome::as_str);
    match (outcome, told) {
        (Some(Outcome::Failed), Some(Outcome::Ok)) => format!("{word}, behind a pipe"),
        (Some(Outcome::Interrupted), _) if is_redacted(why) => "redacted".to_owned(),
        _ => word.to_owned(),
    }
}

impl ExecutionSummary {
    /// How it ended, in words: see `ended`.
    pub fn ended(&self) -> String {
        ended(self.outcome, self.told, self.error.as_deref())
    }

    /// Whether how it ended is redacted: it counts as interrupted, and was not.
    pub fn is_redacted(&self) -> bool {
        self.outcome == Some(Outcome::Interrupted) && is_redacted(self.error.as_deref())
    }

    /// Why it did not end well, in one line.
    pub fn why(&self) -> Option<&str> {
        let told = self.telling.as_ref().or(self.diagnostic.as_ref()).or(self.error.as_ref());
        told.map(String::as_str)
    }

    /// How long it took, and whether that is a bound.
    pub fn took(&self) -> Option<(u64, bool)> {
        let bound = || Some((self.duration_ms_max?, true));
        self.duration_ms.map(|it| (it, false)).or_else(bound)
    }

    /// How `annals show` takes it: `142`, or `@4711` where it has no ordinal.
    pub fn reference(&self) -> String {
        self.ordinal.map_or_else(|| format!("@{}", self.sequence), |no| no.to_string())
    }
}

impl Stores {
    /// The executions that a question finds: `from` is what stands behind `FROM` in it, with
    /// `executions e` and `sessions s`.
    pub(crate) fn summaries(
        &self,
        from: &str,
        asked: &[Ask],
    ) -> Result<Vec<ExecutionSummary>, QueryError> {
        let sql = format!("SELECT {COLUMNS}, {DURATION_MAX} FROM {from}");
        let mut found: Vec<ExecutionSummary> = self.index.answer(&sql, asked, |row| {
            columns!(row => ExecutionSummary {
                journal, ordinal, id, sequence, session, agent, actor, at_ms, started_ms, tool, native_tool,
                outcome, told, exit_code, duration_ms, target, error, diagnostic, telling, checked, program,
                verdict, basis, cwd, branch, corrects, corrected_by, duration_ms_max,
            })
        })?;
        if let Some(journal) = &self.journal {
            found.iter_mut().for_each(|row| row.journal = Some(journal.clone()));
        }
        Ok(found)
    }

    /// An execution by its row's number, if the conditions let it through.
    pub(crate) fn judged(
        &self,
        conditions: &str,
        values: &[Ask],
        execution: i64,
    ) -> Result<Option<ExecutionSummary>, QueryError> {
        let mut values = values.to_vec();
        values.push(Ask::Number(execution));
        let from = format!("{EXECUTIONS} WHERE {conditions} AND e.seq = ?");
        Ok(self.summaries(&from, &values)?.pop())
    }

    pub(crate) fn summary_of(&self, id: &str) -> Result<Option<ExecutionSummary>, QueryError> {
        Ok(self.summaries(&format!("{EXECUTIONS} WHERE e.id = ?1"), &[text(id)])?.pop())
    }

    /// The one execution that a reference names.
    pub fn resolve(&self, reference: &Reference) -> Result<ExecutionSummary, QueryError> {
        let (which, value) = match reference {
            Reference::Last => ("?1 = '' ORDER BY e.at_seq DESC LIMIT 1", text("")),
            Reference::Ordinal(ordinal) => ("e.ordinal = ?1", number(*ordinal)),
            Reference::Sequence(at) => (
                "e.seq IN (SELECT ?1 UNION ALL SELECT seq FROM executions WHERE at_seq = ?1) \
                 ORDER BY e.corrects IS NOT NULL LIMIT 1",
                number(at.0),
            ),
            Reference::Id(id) => ("e.id >= ?1 AND e.id < ?1 || 'g'", text(id)),
        };
        let from = format!("{EXECUTIONS} WHERE {which}");
        let from = if which.contains("LIMIT") { from } else { format!("{from} LIMIT {FOUND_MAX}") };
        let mut found = self.summaries(&from, &[value])?;
        let count = found.len();
        match found.pop() {
            Some(execution) if count == 1 => Ok(execution),
            Some(_) => Err(QueryError::Ambiguous { reference: reference.to_string(), count }),
            None => Err(QueryError::NotFound { reference: reference.to_string() }),
        }
    }

    /// One execution with its arguments, artifacts and paths.
    pub fn show(&self, reference: &Reference) -> Result<ExecutionDetail, QueryError> {
        let summary = self.resolve(reference)?;
        let id = summary.id.to_string();
        let sql = "SELECT p.path, x.role FROM execution_paths x JOIN paths p ON p.number = x.path \
                   JOIN executions e ON e.seq = x.execution WHERE e.id = ?1 \
                   ORDER BY x.role DESC, p.path";
        let paths = self.index.all(sql, [&id])?;
        let sql = "SELECT started_seq, parent FROM executions WHERE id = ?1";
        let (started_sequence, parent) = self.index.all(sql, [&id])?.pop().unwrap_or((None, None));
        let stored = match summary.ordinal {
            Some(ordinal) => self.stored(ordinal)?,
            None => None,
        };
        let mut detail = ExecutionDetail {
            summary,
            started_sequence,
            arguments_json: None,
            error_message: None,
            artifacts: Vec::new(),
            paths,
            parent,
        };
        // A log that lags behind the index may have no row yet, or, after a rebuild of one of
        // them, another's.
        if let Some(stored) = stored.filter(|stored| stored.id == id) {
            detail.arguments_json = Some(stored.arguments_json);
            detail.error_message = stored.error_message;
            detail.artifacts = stored.artifacts;
        }
        Ok(detail)
    }
}

/// One execution, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionDetail {
    pub summary: ExecutionSummary,
    /// The start's sequence; `None` where it was lost.
    pub started_sequence: Option<u64>,
    /// `None` where `execution_log.db` has no row: it is open, or its tool is undeclared.
    pub arguments_json: Option<String>,
    /// The row's whole `error_message`.
    pub error_message: Option<String>,
    /// Type and JSON: stdout, stderr, diagnostics.
    pub artifacts: Vec<(String, String)>,
    pub paths: Vec<(String, PathRole)>,
    pub parent: Option<String>,
}

/// Paths as JSON, each with what was done to it.
pub fn touched<S: Serializer>(paths: &[(String, PathRole)], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Touched<'a> {
        path: &'a str,
        role: PathRole,
    }
    to.collect_seq(paths.iter().map(|(path, role)| Touched { path, role: *role }))
}

/// How people name an execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// `last`: the newest by sequence.
    Last,
    /// `142`: the rowid in `execution_log.db`.
    Ordinal(u64),
    /// `@4711`: any event of the execution.
    Sequence(Sequence),
    /// A UUID, or its beginning.
    Id(String),
}

/// Digits of an id that must be given; fewer are an ordinal or a slip.
const ID_DIGITS_MIN: usize = 4;

impl Reference {
    /// Reads a reference. Digits alone are an ordinal; `#142` is accepted where a shell lets it
    /// through.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let refused = || QueryError::NoReference { text: text.to_owned() };
        if text == "last" {
            return Ok(Self::Last);
        }
        if let Some(sequence) = text.strip_prefix('@') {
            return sequence.parse().map(|at| Self::Sequence(Sequence(at))).map_err(|_| refused());
        }
        let digits = text.strip_prefix('#').unwrap_or(text);
        // Twelve digits can only be the beginning of a UUID's.
        if digits.len() < 12 && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return digits.parse().map(Self::Ordinal).map_err(|_| refused());
        }
        let plain = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        if text.len() >= ID_DIGITS_MIN && text.len() <= 36 && text.bytes().all(plain) {
            return Ok(Self::Id(text.to_ascii_lowercase()));
        }
        Err(refused())
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str("last"),
            Self::Ordinal(ordinal) => write!(f, "{ordinal}"),
            Self::Sequence(sequence) => write!(f, "{sequence}"),
            Self::Id(id) => f.write_str(id),
        }
    }
}
