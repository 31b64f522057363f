//! An `execution_log.db` of spec 000, made by anyone: its executions, in the order in which they ended, with
//! what they printed. Each keeps its own id.

#[cfg(test)]
mod tests;

use std::io;

use serde::Deserialize;

use super::import::Flaw;
use super::import::item::{CallResult, Head, Part, TranscriptRecord, odd_words};
use super::import::log_source::{Beginning, LogSource, Reads};
use super::import::loose::{Text, object, parsed};
use super::import::odd::Stamp;
use super::import::source_file::{SourceFile, can_be};
use super::import::told;
use super::import::whole::{Rows, RowsLog, WholeLog};
use crate::event::{ExecutionId, Json, Ordered, Outcome};
use crate::store::foreign::{Cell, ForeignDatabase};

pub const SOURCE: LogSource = LogSource {
    name: "execution-log",
    title: "spec 000's execution log",
    also: None,
    endings: &[".db"],
    is_of,
    reads: Reads::Whole(open),
    began_ms: None,
    session_of: None,
    untimed: false,
};

fn is_of(beginning: &Beginning<'_>) -> bool {
    let has = |text: &str| memchr::memmem::find(beginning.head, text.as_bytes()).is_some();
    beginning.is_database() && has("execution_artifacts") && has("arguments_json")
}

const COLUMNS: [&str; 8] = [
    "id",
    "tool_name",
    "arguments_json",
    "timestamp",
    "success",
    "exit_code",
    "duration_ms",
    "error_message",
];

fn open(file: &SourceFile) -> io::Result<Box<dyn WholeLog>> {
    let database = ForeignDatabase::open(&file.path)?;
    if !database.has("executions", &COLUMNS)? {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "no table `executions` of spec 000",
        ));
    }
    let columns = ["id", "execution_id", "artifact_type", "content_json"];
    let has_artifacts = database.has("execution_artifacts", &columns)?;
    let order = order(&database, file)?;
    // No row names a session: the first one's id stands for it, wherever the file lies.
    let first = database.ask("SELECT id FROM executions ORDER BY rowid LIMIT 1", &[])?;
    let first = first.first().and_then(|row| row.first()).and_then(Cell::as_str);
    let session = first.map_or_else(|| file.whole_name(), str::to_owned);
    let orphans = if has_artifacts { database.numbers(ORPHANS)? } else { Vec::new() };
    let log = Log { database, order, orphans, has_artifacts, session };
    Ok(RowsLog::open(Box::new(log), file.bytes))
}

/// The artifacts of no execution.
const ORPHANS: &str = "SELECT rowid FROM execution_artifacts WHERE execution_id IS NULL OR execution_id NOT IN \
     (SELECT id FROM executions WHERE id IS NOT NULL) ORDER BY rowid";

/// The rows in the order of their times; one whose time cannot be stands behind the row before it.
fn order(database: &ForeignDatabase, file: &SourceFile) -> io::Result<Vec<i64>> {
    let until_ms = file.until_ms();
    let rows = database.numbers("SELECT rowid FROM executions ORDER BY rowid")?;
    let times = database.numbers(
        "SELECT CASE WHEN typeof(timestamp) = 'integer' THEN timestamp ELSE -1 END FROM executions \
         ORDER BY rowid",
    )?;
    let mut last_ms = 0;
    let mut timed: Vec<_> = rows
        .into_iter()
        .zip(times)
        .map(|(row, at_ms)| {
            // A negative one is none.
            let told = u64::try_from(at_ms).ok().filter(|ms| can_be(*ms, until_ms));
            last_ms = told.unwrap_or(last_ms);
            (last_ms, row)
        })
        .collect();
    timed.order_by(Ord::cmp);
    Ok(timed.into_iter().map(|(_, row)| row).collect())
}

struct Log {
    database: ForeignDatabase,
    /// The rows, in the order of their times.
    order: Vec<i64>,
    orphans: Vec<i64>,
    has_artifacts: bool,
    /// By the first row.
    session: String,
}

impl Rows for Log {
    fn count(&self) -> usize {
        self.order.len() + self.orphans.len()
    }

    fn record(&mut self, at: usize) -> Result<Vec<TranscriptRecord>, Flaw> {
        let line = at as u64 + 1;
        let Some(row) = self.order.get(at) else { return Ok(self.orphan(line)) };
        let sql = format!("SELECT {} FROM executions WHERE rowid = ?1", COLUMNS.join(", "));
        let found = self.database.ask(&sql, &[Cell::Integer(*row)])?;
        let row = found.first().ok_or(Flaw::Columns)?;
        let Execution { at: head, mut call, mut result } = read(row).map_err(Flaw::Column)?;
        let mut unread = Vec::new();
        if self.has_artifacts {
            let sql = "SELECT artifact_type, content_json FROM execution_artifacts \
                       WHERE execution_id = ?1 ORDER BY id";
            for row in self.database.ask(sql, &[Cell::Text(call.id.clone())])? {
                unread.extend(match &row[..] {
                    [Cell::Text(kind), Cell::Text(content)] => add(&mut result, kind, content),
                    [Cell::Text(_), _] => {
                        Some("an artifact whose `content_json` is no text".into())
                    }
                    _ => Some("an artifact whose `artifact_type` is no text".into()),
                });
            }
        } else if at == 0 {
            unread.push("all artifacts: the table has not the columns of spec 000".to_owned());
        }
        call.changes.retain(|_| result.outcome == Outcome::Ok);
        let head = Head { session: Some(self.session.clone()), ..head };
        let mut parts = vec![Part::Call(call), Part::Result(result)];
        parts.extend(unread.into_iter().map(Part::Unread));
        Ok(vec![TranscriptRecord { line, head, parts }])
    }
}

impl Log {
    /// Behind the executions: an artifact of none.
    fn orphan(&self, line: u64) -> Vec<TranscriptRecord> {
        let Some(row) = self.orphans.get(line as usize - 1 - self.order.len()) else {
            return Vec::new();
        };
        let parts = vec![Part::Unread(format!("artifact {row} of no execution"))];
        let head = Head { session: Some(self.session.clone()), ..Head::default() };
        vec![TranscriptRecord { line, head, parts }]
    }
}

struct Execution {
    at: Head,
    call: super::import::Call,
    result: CallResult,
}

/// What a row says; the column that is not what it should be.
fn read(row: &[Cell]) -> Result<Execution, &'static str> {
    let [id, tool, arguments, at, success, exit_code, duration, error] = row else {
        return Err("id");
    };
    let id = id.as_str().ok_or("id")?.to_owned();
    let tool = tool.as_str().ok_or("tool_name")?;
    let is_object = |text: &&str| serde_json::from_str::<serde_json::Map<_, _>>(text).is_ok();
    let arguments = arguments.as_str().filter(is_object).ok_or("arguments_json")?.to_owned();
    let (at_ms, words) = time(at);
    let at = Head::told(at_ms, &Stamp(Some(words.into())));
    let number = |cell: &Cell, column| match cell {
        Cell::Null => Ok(None),
        cell => cell.as_i64().map(Some).ok_or(column),
    };
    let exit_code = number(exit_code, "exit_code")?.map(i32::try_from).transpose();
    let exit_code = exit_code.map_err(|_| "exit_code")?;
    let duration_ms = number(duration, "duration_ms")?.map(u64::try_from).transpose();
    let duration_ms = duration_ms.map_err(|_| "duration_ms")?;
    let error = match error {
        Cell::Null => None,
        error => Some(error.as_str().ok_or("error_message")?),
    };
    // Spec 000 says of an interrupted one that it has none, and then that it must have one.
    let is_ok = number(success, "success")?.map(|success| success != 0);
    let (outcome, error) = ended(is_ok, error);
    let result = CallResult {
        exit_code,
        duration_ms,
        error: error.map(str::to_owned),
        ..CallResult::of(id.clone(), None, outcome)
    };
    let mut call = told::call(id, None, tool, arguments);
    call.execution = ExecutionId::parse(&call.id);
    Ok(Execution { at, call, result })
}

/// A time, where it is one, and its words.
fn time(cell: &Cell) -> (Option<u64>, String) {
    match cell {
        Cell::Integer(at) => (u64::try_from(*at).ok(), at.to_string()), // what is before 1970 is none
        Cell::Real(at) => (None, at.to_string()),
        Cell::Text(at) => (None, at.clone()),
        Cell::Bytes(_) => (None, "bytes".to_owned()),
        Cell::Null => (None, "null".to_owned()),
    }
}

/// How an execution ended, by the words that its message begins with.
fn ended(is_ok: Option<bool>, error: Option<&str>) -> (Outcome, Option<&str>) {
    let told = |prefix: &str| error.and_then(|error| error.strip_prefix(prefix));
    match (is_ok, told("interrupted: "), told("refused: ")) {
        (Some(true), ..) => (Outcome::Ok, error),
        (None, None, _) => (Outcome::Interrupted, error),
        (_, Some(why), _) => (Outcome::Interrupted, Some(why)),
        (_, _, Some(why)) => (Outcome::Refused, Some(why)),
        _ => (Outcome::Failed, error),
    }
}

/// Adds what an execution printed; gives what of it could not be.
fn add(result: &mut CallResult, kind: &str, content: &str) -> Option<String> {
    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Printed<'a> {
        #[serde(borrow)]
        text: Text<'a>,
    }
    let text = || {
        let text = object::<Printed<'_>>(content.as_bytes()).text.0;
        text.map_or_else(|| content.as_bytes().to_vec(), |text| text.as_bytes().to_vec())
    };
    let is_first = match kind {
        "stdout" => result.stdout.replace(text()).is_none(),
        "stderr" => result.stderr.replace(text()).is_none(),
        "diagnostics" => {
            if parsed::<Vec<serde_json::Value>>(content.as_bytes()).is_none() {
                return Some("diagnostics that are no list".to_owned());
            }
            result.diagnostics.replace(Json(content.to_owned())).is_none()
        }
        kind => return Some(format!("an artifact of the unknown type {:?}", odd_words(kind))),
    };
    (!is_first).then(|| format!("{kind} before the last: each stands once"))
}
