//! Lists as they leave: every row of a kind, streamed in order of time, nothing gathered.

use super::execution::DURATION_MAX;
use crate::execution::window::Window;
use crate::store::Ask;
use crate::store::sql::{FreeSql, SqlError, TakeRows};

/// Gives every row of a kind to `taker`, the oldest first. The stores are one journal's.
pub fn export<T: TakeRows>(
    stores: &FreeSql,
    kind: ExportKind,
    window: &Window,
    taker: &mut T,
) -> Result<(), SqlError<T::Error>> {
    let mut values = Vec::new();
    let mut conditions = String::from("1");
    let signed = |value: u64| Ask::Number(i64::try_from(value).unwrap_or(i64::MAX));
    let (sequence, at_ms) = kind.place();
    for (column, compare, value) in [
        (sequence, ">=", window.from.map(|at| at.0)),
        (sequence, "<=", window.through.map(|at| at.0)),
        (at_ms, ">=", window.from_ms),
        (at_ms, "<=", window.through_ms),
    ] {
        if let Some(value) = value {
            values.push(signed(value));
            conditions.push_str(&format!(" AND {column} {compare} ?{}", values.len()));
        }
    }
    if let Some(sessions) = &window.sessions {
        let mut list = Vec::new();
        for session in sessions {
            values.push(Ask::Text(session.to_string()));
            list.push(format!("?{}", values.len()));
        }
        conditions.push_str(&format!(" AND s.id IN ({})", list.join(", ")));
    }
    stores.ask_with(&kind.sql(&conditions), &values, taker)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    Executions,
    Failures,
    Sessions,
    Artifacts,
    Diagnostics,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    /// Unix milliseconds, told as a UTC time.
    Time,
    /// JSON text.
    Json,
    /// 0 or 1.
    Flag,
}

type Column = (&'static str, &'static str, Form);

const PATHS: &str = "(SELECT json_group_array(path) FROM (SELECT p.path FROM \
     idx.execution_paths x JOIN idx.paths p ON p.number = x.path WHERE x.execution = e.seq \
     ORDER BY p.path))";
const SYMBOLS: &str = "(SELECT json_group_array(name) FROM (SELECT y.name FROM \
     idx.execution_symbols x JOIN idx.symbols y ON y.number = x.symbol WHERE x.execution = e.seq \
     ORDER BY y.name))";

const EXECUTIONS: &[Column] = &[
    ("no", "e.ordinal", Form::Plain),
    ("execution", "e.id", Form::Plain),
    ("sequence", "e.at_seq", Form::Plain),
    ("started_sequence", "e.started_seq", Form::Plain),
    ("session", "s.id", Form::Plain),
    ("agent", "s.agent", Form::Plain),
    ("actor", "e.actor", Form::Plain),
    ("at", "e.at_ms", Form::Time),
    ("started", "e.started_ms", Form::Time),
    ("source", "e.source", Form::Plain),
    ("tool", "e.tool", Form::Plain),
    ("native_tool", "e.native_tool", Form::Plain),
    ("outcome", "coalesce(e.outcome, 'open')", Form::Plain),
    ("exit_code", "e.exit_code", Form::Plain),
    ("duration_ms", "e.duration_ms", Form::Plain),
    ("duration_ms_max", DURATION_MAX, Form::Plain),
    ("target", "e.target", Form::Plain),
    ("error", "coalesce(l.error_message, e.error)", Form::Plain),
    ("diagnostic", "e.diagnostic", Form::Plain),
    ("cwd", "e.cwd", Form::Plain),
    ("branch", "e.branch", Form::Plain),
    ("parent", "e.parent", Form::Plain),
    ("corrects", "e.corrects", Form::Plain),
    ("corrected_by", "e.corrected_by", Form::Plain),
    ("paths", PATHS, Form::Json),
    ("symbols", SYMBOLS, Form::Json),
    ("arguments", "l.arguments_json", Form::Json),
];

const SESSIONS: &[Column] = &[
    ("session", "s.id", Form::Plain),
    ("agent", "nullif(s.agent, '')", Form::Plain),
    ("native_id", "nullif(s.native_id, '')", Form::Plain),
    ("agent_version", "s.agent_version", Form::Plain),
    ("model", "s.model", Form::Plain),
    ("parent", "s.parent", Form::Plain),
    ("title", "s.title", Form::Plain),
    ("cwd", "s.cwd", Form::Plain),
    ("branch", "s.branch", Form::Plain),
    ("began", "s.first_ms", Form::Time),
    ("last", "s.last_ms", Form::Time),
    ("first_sequence", "s.first_seq", Form::Plain),
    ("last_sequence", "s.last_seq", Form::Plain),
    ("ended", "s.ended_seq IS NOT NULL", Form::Flag),
    ("end_reason", "s.end_reason", Form::Plain),
    ("prompts", "(SELECT count(*) FROM idx.prompts p WHERE p.session = s.number)", Form::Plain),
    (
        "calls",
        "(SELECT count(*) FROM idx.executions e WHERE e.session = s.number \
         AND e.corrected_by IS NULL)",
        Form::Plain,
    ),
    (
        "failed",
        "(SELECT count(*) FROM idx.executions e WHERE e.session = s.number \
         AND e.corrected_by IS NULL AND e.outcome = 'failed')",
        Form::Plain,
    ),
];

const ARTIFACTS: &[Column] = &[
    ("no", "e.ordinal", Form::Plain),
    ("execution", "e.id", Form::Plain),
    ("sequence", "e.at_seq", Form::Plain),
    ("session", "s.id", Form::Plain),
    ("at", "e.at_ms", Form::Time),
    ("tool", "e.tool", Form::Plain),
    ("artifact_type", "a.artifact_type", Form::Plain),
    ("content", "a.content_json", Form::Json),
];

const DIAGNOSTICS: &[Column] = &[
    ("no", "e.ordinal", Form::Plain),
    ("execution", "e.id", Form::Plain),
    ("sequence", "e.at_seq", Form::Plain),
    ("session", "s.id", Form::Plain),
    ("at", "e.at_ms", Form::Time),
    ("tool", "e.tool", Form::Plain),
    ("level", "d.level", Form::Plain),
    ("code", "d.code", Form::Plain),
    ("file_name", "d.file_name", Form::Plain),
    ("line", "d.line", Form::Plain),
    ("message", "d.message", Form::Plain),
];

const OF_SESSION: &str = "LEFT JOIN idx.sessions s ON s.number = e.session";

impl ExportKind {
    /// The columns, in order: name and form.
    pub fn columns(self) -> impl Iterator<Item = (&'static str, Form)> {
        self.table().iter().map(|(name, _, form)| (*name, *form))
    }

    fn table(self) -> &'static [Column] {
        match self {
            Self::Executions | Self::Failures => EXECUTIONS,
            Self::Sessions => SESSIONS,
            Self::Artifacts => ARTIFACTS,
            Self::Diagnostics => DIAGNOSTICS,
        }
    }

    /// The columns that say where in the journal, and when, a row is.
    fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::Sessions => ("s.last_seq", "s.last_ms"),
            _ => ("e.at_seq", "e.at_ms"),
        }
    }

    /// The question. CROSS JOIN keeps the order of time that the first table's index gives, so
    /// that nothing is sorted.
    fn sql(self, conditions: &str) -> String {
        let columns: Vec<String> =
            self.table().iter().map(|(name, from, _)| format!("{from} AS {name}")).collect();
        let columns = columns.join(", ");
        let row = "LEFT JOIN log.executions l ON l.rowid = e.ordinal AND l.id = e.id";
        let by_time = "ORDER BY e.at_ms, e.at_seq";
        match self {
            Self::Executions => format!(
                "SELECT {columns} FROM idx.executions e {OF_SESSION} {row} WHERE {conditions} \
                 {by_time}"
            ),
            Self::Failures => format!(
                "SELECT {columns} FROM idx.executions e {OF_SESSION} {row} \
                 WHERE e.outcome = 'failed' AND e.corrected_by IS NULL AND {conditions} {by_time}"
            ),
            Self::Sessions => format!(
                "SELECT {columns} FROM idx.sessions s WHERE {conditions} \
                 ORDER BY s.last_ms, s.number"
            ),
            Self::Artifacts => format!(
                "SELECT {columns} FROM idx.executions e {OF_SESSION} \
                 CROSS JOIN log.execution_artifacts a ON a.execution_id = e.id \
                 WHERE {conditions} {by_time}, a.id"
            ),
            Self::Diagnostics => format!(
                "SELECT {columns} FROM idx.executions e {OF_SESSION} \
                 CROSS JOIN idx.execution_diagnostics x ON x.execution = e.seq \
                 CROSS JOIN idx.diagnostics d ON d.number = x.diagnostic \
                 WHERE {conditions} {by_time}, x.diagnostic"
            ),
        }
    }
}
