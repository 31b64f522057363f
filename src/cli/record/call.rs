//! One finished tool call, as it was told to `annals record`: by a JSON line, or by flags.

use serde::Deserialize;

use super::stream::{Fields, LineError};
use crate::event::{Change, ExecutionId, Json, Outcome};
use crate::parse::json;

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

/// A file that a call changed, as it was told.
#[derive(Deserialize)]
pub struct Changed {
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
    pub fn parse(line: &[u8]) -> Result<Self, LineError> {
        let mut fields = Fields::of(line)?;
        let exit_code: Option<i32> = fields.take("exit_code")?;
        let error: Option<String> = fields.take("error")?;
        let (success, word): (Option<bool>, Option<String>) =
            (fields.take("success")?, fields.take("outcome")?);
        let outcome = outcome_of(word.as_deref(), success, exit_code, error.as_deref())?;
        let changed: Option<Vec<Changed>> = fields.take("changed")?;
        let told: Option<String> = fields.take("execution")?;
        Ok(Self {
            tool: fields.take("tool")?.ok_or(LineError::Missing { field: "tool" })?,
            arguments: object(fields.take_raw("arguments"))?,
            outcome,
            exit_code,
            duration_ms: fields.take("duration_ms")?,
            error,
            stdout: fields.take("stdout")?,
            stderr: fields.take("stderr")?,
            diagnostics: fields.take_raw("diagnostics").map(diagnostics).transpose()?,
            paths: fields.take("paths")?.unwrap_or_default(),
            symbols: fields.take("symbols")?.unwrap_or_default(),
            changed: changed.unwrap_or_default().into_iter().map(Change::from).collect(),
            at_ms: at(&mut fields)?,
            session: fields.take("session")?,
            agent: fields.take("agent")?,
            call: fields.take("call")?,
            execution: told.as_deref().map(execution).transpose()?,
            native_tool: fields.take("native_tool")?,
            cwd: fields.take("cwd")?,
            branch: fields.take("branch")?,
        })
    }
}

impl From<Changed> for Change {
    fn from(changed: Changed) -> Self {
        Self { path: changed.path, created: changed.created }
    }
}

pub fn outcome(word: &str) -> Result<Outcome, LineError> {
    [Outcome::Ok, Outcome::Failed, Outcome::Refused, Outcome::Interrupted]
        .into_iter()
        .find(|outcome| outcome.as_str() == word)
        .ok_or(LineError::Meaning {
            field: "outcome",
            expected: "must be ok, failed, refused or interrupted",
        })
}

/// The outcome of a call: told in our word, or in the contract's, or in both; else what its exit code
/// and its error say.
pub fn outcome_of(
    word: Option<&str>,
    success: Option<bool>,
    exit_code: Option<i32>,
    error: Option<&str>,
) -> Result<Outcome, LineError> {
    let told = word.map(outcome).transpose()?;
    if let (Some(told), Some(success)) = (told, success)
        && (told == Outcome::Ok) != success
    {
        let expected = "must be true for the outcome ok, and false for any other";
        return Err(LineError::Meaning { field: "success", expected });
    }
    let is_ok = success.unwrap_or(exit_code.unwrap_or(0) == 0 && error.is_none());
    Ok(told.unwrap_or(if is_ok { Outcome::Ok } else { Outcome::Failed }))
}

/// A JSON object as it was written; an empty one where there is none.
pub fn object(raw: Option<&str>) -> Result<Json, LineError> {
    match raw.unwrap_or("{}").trim() {
        raw if raw.starts_with('{') => Ok(Json(raw.to_owned())),
        _ => Err(LineError::Meaning { field: "arguments", expected: "must be a JSON object" }),
    }
}

/// Diagnostics as they were written, each with a level and a message.
pub fn diagnostics(raw: &str) -> Result<Json, LineError> {
    json::read::<Vec<Diagnosed>>(raw.as_bytes())
        .map_err(|error| LineError::within("diagnostics", error))?;
    Ok(Json(raw.to_owned()))
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

fn execution(text: &str) -> Result<ExecutionId, LineError> {
    let wrong = LineError::Meaning { field: "execution", expected: "must be a UUID, v4 or v7" };
    ExecutionId::parse(text).ok_or(wrong)
}

/// One call, given by flags.
#[derive(clap::Args, Debug)]
pub struct Flags {
    /// The tool's name; without it, JSON lines are read from standard input
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// Its arguments, a JSON object
    #[arg(long, value_name = "JSON", requires = "tool")]
    arguments: Option<String>,
    /// ok, failed, refused or interrupted [default: as exit code and error say]
    #[arg(long, value_name = "OUTCOME", requires = "tool", value_parser = outcome)]
    outcome: Option<Outcome>,
    /// Its exit code
    #[arg(long, value_name = "CODE", requires = "tool", allow_negative_numbers = true)]
    exit_code: Option<i32>,
    /// How long it took, in milliseconds
    #[arg(long, value_name = "MS", requires = "tool")]
    duration_ms: Option<u64>,
    /// Why it failed
    #[arg(long, value_name = "TEXT", requires = "tool")]
    error: Option<String>,
    /// What it printed
    #[arg(long, value_name = "TEXT", requires = "tool")]
    stdout: Option<String>,
    /// What it printed on standard error
    #[arg(long, value_name = "TEXT", requires = "tool")]
    stderr: Option<String>,
    /// A file it worked on (repeats)
    #[arg(long = "path", value_name = "PATH", requires = "tool")]
    paths: Vec<String>,
    /// A symbol it worked on (repeats)
    #[arg(long = "symbol", value_name = "NAME", requires = "tool")]
    symbols: Vec<String>,
    /// A file it changed (repeats)
    #[arg(long = "changed", value_name = "PATH", requires = "tool")]
    changed: Vec<String>,
    /// A file it made (repeats)
    #[arg(long = "created", value_name = "PATH", requires = "tool")]
    created: Vec<String>,
    /// Compiler diagnostics: a JSON array of {level, message, file_name, line_start, code}
    #[arg(long, value_name = "JSON", requires = "tool")]
    diagnostics: Option<String>,
    /// The agent's session [default: $ANNALS_SESSION]
    #[arg(long, value_name = "SESSION", requires = "tool")]
    session: Option<String>,
    /// The agent
    #[arg(long, value_name = "AGENT", requires = "tool")]
    agent: Option<String>,
    /// The agent's own id of the call: a second report of it is a duplicate
    #[arg(long, value_name = "ID", requires = "tool")]
    call: Option<String>,
    /// When it ended: Unix milliseconds, or RFC 3339 [default: now]
    #[arg(long, value_name = "TIME", requires = "tool")]
    at: Option<String>,
    /// The execution's id, a UUID of version 4 or 7 [default: a new one]
    #[arg(long, value_name = "UUID", requires = "tool")]
    execution: Option<String>,
}

impl Flags {
    /// The call they mean; `None` where standard input is to be read.
    pub fn call(self) -> Result<Option<Call>, LineError> {
        let Some(tool) = self.tool else { return Ok(None) };
        let changed = self.changed.into_iter().map(|path| Change { path, created: false });
        let created = self.created.into_iter().map(|path| Change { path, created: true });
        Ok(Some(Call {
            tool,
            arguments: object(self.arguments.as_deref())?,
            outcome: match self.outcome {
                Some(outcome) => outcome,
                None => outcome_of(None, None, self.exit_code, self.error.as_deref())?,
            },
            exit_code: self.exit_code,
            duration_ms: self.duration_ms,
            error: self.error,
            stdout: self.stdout,
            stderr: self.stderr,
            diagnostics: self.diagnostics.as_deref().map(diagnostics).transpose()?,
            paths: self.paths,
            symbols: self.symbols,
            changed: changed.chain(created).collect(),
            at_ms: self.at.as_deref().map(time).transpose()?,
            session: self.session,
            agent: self.agent,
            call: self.call,
            execution: self.execution.as_deref().map(execution).transpose()?,
            native_tool: None,
            cwd: None,
            branch: None,
        }))
    }
}
