//! One call, given by flags.

use super::call::{diagnostics, implied_outcome, object, outcome, time};
use super::{Call, LineError};
use crate::event::{Change, ExecutionId, Outcome};

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
    #[arg(long, value_name = "OUTCOME", requires = "tool", value_parser = parse_outcome)]
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
        let execution = match self.execution {
            None => None,
            Some(text) => Some(ExecutionId::parse(&text).ok_or(LineError::Meaning {
                field: "execution",
                expected: "must be a UUID, v4 or v7",
            })?),
        };
        let changed = self.changed.into_iter().map(|path| Change { path, created: false });
        let created = self.created.into_iter().map(|path| Change { path, created: true });
        Ok(Some(Call {
            tool,
            arguments: object(self.arguments.as_deref())?,
            outcome: self
                .outcome
                .unwrap_or_else(|| implied_outcome(self.exit_code, self.error.as_deref())),
            exit_code: self.exit_code,
            duration_ms: self.duration_ms,
            error: self.error,
            stdout: self.stdout,
            stderr: self.stderr,
            diagnostics: diagnostics(self.diagnostics.as_deref())?,
            paths: self.paths,
            symbols: self.symbols,
            changed: changed.chain(created).collect(),
            at_ms: self.at.as_deref().map(time).transpose()?,
            session: self.session,
            agent: self.agent,
            call: self.call,
            execution,
            native_tool: None,
            cwd: None,
            branch: None,
        }))
    }
}

fn parse_outcome(word: &str) -> Result<Outcome, LineError> {
    outcome(word)
}
