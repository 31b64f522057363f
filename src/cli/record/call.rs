//! One finished tool call, as it was told to `annals record`.

use serde::Deserialize;

use super::{Fields, LineError};
use crate::event::{Change, ExecutionId, Json, Outcome};

/// One finished tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub tool: String,
    pub arguments: Json,
    pub outcome: Outcome,
    pub exit_code: Option<i32>,
    pub duration_ms: Option<u64>,
    pub error: Option<String>,
    pub stdout: Option<String>,
    pub stderr: Option<String>,
    pub diagnostics: Option<Json>,
    pub paths: Vec<String>,
    pub symbols: Vec<String>,
    pub changed: Vec<Change>,
    /// When it ended, Unix milliseconds; `None`: now.
    pub at_ms: Option<u64>,
    /// The agent's own name of its session; `None`: `ANNALS_SESSION`.
    pub session: Option<String>,
    pub agent: Option<String>,
    /// The agent's own id of the call: a second report of it is a duplicate.
    pub call: Option<String>,
    /// The execution's id, where the caller chose one (UUID v4 or v7).
    pub execution: Option<ExecutionId>,
    pub native_tool: Option<String>,
    pub cwd: Option<String>,
    pub branch: Option<String>,
}

#[derive(Deserialize)]
struct Changed {
    path: String,
    #[serde(default)]
    created: bool,
}

/// What every diagnostic must have (spec 000).
#[derive(Deserialize)]
struct Diagnosed {
    #[serde(rename = "level")]
    _level: String,
    #[serde(rename = "message")]
    _message: String,
}

impl Call {
    /// Reads one JSON line.
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let mut fields = Fields::of(line)?;
        let exit_code: Option<i32> = fields.take("exit_code")?;
        let error: Option<String> = fields.take("error")?;
        let success: Option<bool> = fields.take("success")?;
        let outcome = match (fields.take::<String>("outcome")?, success) {
            (Some(word), None) => outcome(&word)?,
            (Some(word), Some(success)) => agreed(outcome(&word)?, success)?,
            (None, Some(true)) => Outcome::Ok,
            (None, Some(false)) => Outcome::Failed,
            (None, None) => implied_outcome(exit_code, error.as_deref()),
        };
        let changed: Option<Vec<Changed>> = fields.take("changed")?;
        let call = Self {
            tool: fields.take("tool")?.ok_or(LineError::Missing { field: "tool" })?,
            arguments: object(fields.take_raw("arguments"))?,
            outcome,
            exit_code,
            duration_ms: fields.take("duration_ms")?,
            error,
            stdout: fields.take("stdout")?,
            stderr: fields.take("stderr")?,
            diagnostics: diagnostics(fields.take_raw("diagnostics"))?,
            paths: fields.take("paths")?.unwrap_or_default(),
            symbols: fields.take("symbols")?.unwrap_or_default(),
            changed: changed.unwrap_or_default().into_iter().map(Change::from).collect(),
            at_ms: at(&mut fields)?,
            session: fields.take("session")?,
            agent: fields.take("agent")?,
            call: fields.take("call")?,
            execution: execution(&mut fields)?,
            native_tool: fields.take("native_tool")?,
            cwd: fields.take("cwd")?,
            branch: fields.take("branch")?,
        };
        Ok(call)
    }
}

impl From<Changed> for Change {
    fn from(changed: Changed) -> Self {
        Self { path: changed.path, created: changed.created }
    }
}

/// The outcome a word names.
pub fn outcome(word: &str) -> Result<Outcome, LineError> {
    [Outcome::Ok, Outcome::Failed, Outcome::Refused, Outcome::Interrupted]
        .into_iter()
        .find(|outcome| outcome.as_str() == word)
        .ok_or(LineError::Meaning {
            field: "outcome",
            expected: "must be ok, failed, refused or interrupted",
        })
}

/// An outcome that was told twice, in our word and in the contract's.
fn agreed(outcome: Outcome, success: bool) -> Result<Outcome, LineError> {
    let expected = "must be true for the outcome ok, and false for any other";
    let agrees = (outcome == Outcome::Ok) == success;
    if agrees { Ok(outcome) } else { Err(LineError::Meaning { field: "success", expected }) }
}

/// What an exit code and an error say where no outcome was given.
pub fn implied_outcome(exit_code: Option<i32>, error: Option<&str>) -> Outcome {
    if exit_code.unwrap_or(0) == 0 && error.is_none() { Outcome::Ok } else { Outcome::Failed }
}

/// A JSON object as it was written; an empty one where there is none.
pub fn object(raw: Option<&str>) -> Result<Json, LineError> {
    match raw.unwrap_or("{}").trim() {
        raw if raw.starts_with('{') => Ok(Json(raw.to_owned())),
        _ => Err(LineError::Meaning { field: "arguments", expected: "must be a JSON object" }),
    }
}

/// Diagnostics as they were written, each with a level and a message.
pub fn diagnostics(raw: Option<&str>) -> Result<Option<Json>, LineError> {
    let Some(raw) = raw else { return Ok(None) };
    serde_json::from_str::<Vec<Diagnosed>>(raw)
        .map_err(|source| LineError::Value { field: "diagnostics".to_owned(), source })?;
    Ok(Some(Json(raw.to_owned())))
}

/// A time: Unix milliseconds, or RFC 3339.
fn at(fields: &mut Fields<'_>) -> Result<Option<u64>, LineError> {
    let Some(raw) = fields.take_raw("at") else { return Ok(None) };
    if let Ok(ms) = raw.parse::<u64>() {
        return Ok(Some(ms));
    }
    let text: String = serde_json::from_str(raw)
        .map_err(|source| LineError::Value { field: "at".to_owned(), source })?;
    time(&text).map(Some)
}

/// A time as it is written.
pub fn time(text: &str) -> Result<u64, LineError> {
    let wrong = LineError::Meaning {
        field: "at",
        expected: "must be Unix milliseconds or an RFC 3339 time from 1970 on",
    };
    if let Ok(ms) = text.parse::<u64>() {
        return Ok(ms);
    }
    let Ok(at) = text.parse::<jiff::Timestamp>() else { return Err(wrong) };
    u64::try_from(at.as_millisecond()).map_err(|_| wrong)
}

fn execution(fields: &mut Fields<'_>) -> Result<Option<ExecutionId>, LineError> {
    let Some(text) = fields.take::<String>("execution")? else { return Ok(None) };
    let wrong = LineError::Meaning { field: "execution", expected: "must be a UUID, v4 or v7" };
    ExecutionId::parse(&text).map(Some).ok_or(wrong)
}
