//! Recording what a tool did.

use serde::Serialize;

use super::db::AGENT;
use super::{Error, Execution, ExecutionDb, Result, ToolResult};
use crate::event::{
    Body, Change, Closing, Content, Envelope, Event, ExecutionFinished, ExecutionId,
    ExecutionStarted, Json, Outcome, SessionStarted, Source,
};
use crate::execution::infer;
use crate::execution::live_recorder;
use crate::journal::{Group, Recorder as JournalRecorder, clock, id};
use crate::parse::check;
use crate::parse::check::diagnostic;

/// What became of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    pub execution_id: ExecutionId,
    /// The journal held it already; nothing was recorded.
    pub duplicate: bool,
    /// Stores that do not have it yet, and why. The journal has it: the next call, or
    /// `annals repair`, catches them up.
    pub lagging: Vec<String>,
}

impl ExecutionDb {
    /// Records one call of a tool: its name, its arguments (a JSON object), its result, and when it
    /// ended in Unix milliseconds. Its targets are read from the arguments.
    ///
    /// ```
    /// # let dir = tempfile::tempdir()?;
    /// # let path = dir.path();
    /// use annals::execution_tools::{ChangedFile, ExecutionDb, ToolOutcome};
    ///
    /// let execution_log = ExecutionDb::initialize(path)?;
    /// let args = serde_json::json!({"file": "src/lib.rs", "symbol": "foo"});
    /// let result = ToolOutcome {
    ///     changed_files: vec![ChangedFile { path: "src/lib.rs".into(), created: false }],
    ///     ..ToolOutcome::default()
    /// };
    /// let timestamp = 1_735_036_800_000;
    /// execution_log.record("splice_patch", &args, &result, &timestamp)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`record_execution`].
    pub fn record(
        &self,
        tool: &str,
        args: &(impl Serialize + ?Sized),
        result: &(impl ToolResult + ?Sized),
        timestamp: &u64,
    ) -> Result<Recorded> {
        record_execution(self, Execution::told(tool, args, result, timestamp)?)
    }
}

impl ExecutionDb {
    /// Tells the journal whose session this is, where nobody has.
    pub(crate) fn introduce(&self) -> Result<()> {
        let envelope = Envelope::new(Some(self.session_id()), Source::Live, clock::now_ms());
        let event = Event { envelope, body: Body::SessionStarted(introduction(self)) };
        live_recorder(self.project()).record(vec![event])?;
        Ok(())
    }
}

impl Execution {
    fn told(
        tool: &str,
        args: &(impl Serialize + ?Sized),
        result: &(impl ToolResult + ?Sized),
        timestamp: &u64,
    ) -> Result<Self> {
        let arguments =
            serde_json::to_string(args).map_err(|source| Error::Arguments { source })?;
        let outcome = result.outcome();
        Ok(Self {
            tool_name: tool.to_owned(),
            arguments,
            timestamp: *timestamp,
            success: outcome.success,
            exit_code: outcome.exit_code,
            stdout: outcome.stdout,
            stderr: outcome.stderr,
            diagnostics: outcome.diagnostics,
            duration_ms: outcome.duration_ms,
            error_message: outcome.error_message,
            changed_files: outcome.changed_files,
            ..Self::default()
        })
    }
}

/// Records one finished execution, durably, and catches the stores up.
///
/// # Errors
/// Nothing was recorded: an undeclared tool, arguments that are no JSON object, a time that runs
/// more than a minute back within the session, or a journal that cannot be written.
pub fn record_execution(db: &ExecutionDb, execution: Execution) -> Result<Recorded> {
    let recorded = db.recorder().record_execution(execution)?;
    // The record stands whatever happens to the stores.
    let lagging = match db.catch_up() {
        Err(error) => vec![error.to_string()],
        Ok(report) => report
            .stores
            .iter()
            .filter_map(|store| {
                let error = store.outcome.as_ref().err()?;
                Some(format!("{}: {error}", store.store))
            })
            .collect(),
    };
    Ok(Recorded { lagging, ..recorded })
}

/// Appends calls of tools to the journal, each durable when it returns, and leaves the stores behind: what
/// [`ExecutionDb::record`] pays for beyond its flush is their catching up. They have everything when they
/// are next asked by the program, opened by [`ExecutionDb::open`], or caught up by another record.
///
/// ```
/// # let dir = tempfile::tempdir()?;
/// # let path = dir.path();
/// use annals::execution_tools::{ExecutionDb, ExecutionFilter, ToolOutcome, query_executions};
///
/// let execution_log = ExecutionDb::initialize(path)?;
/// let mut recorder = execution_log.recorder();
/// for (timestamp, file) in [(1_735_036_800_000, "a"), (1_735_036_800_001, "b")] {
///     let args = serde_json::json!({ "file": file });
///     recorder.record("file_read", &args, &ToolOutcome::default(), &timestamp)?;
/// }
/// let execution_log = ExecutionDb::open(path)?;
/// assert_eq!(query_executions(&execution_log, &ExecutionFilter::default())?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recorder<'db> {
    db: &'db ExecutionDb,
    recorder: JournalRecorder<'db>,
}

impl ExecutionDb {
    /// Records without catching the stores up.
    pub fn recorder(&self) -> Recorder<'_> {
        Recorder { db: self, recorder: live_recorder(self.project()) }
    }
}

impl Recorder<'_> {
    /// As [`ExecutionDb::record`].
    ///
    /// # Errors
    /// As [`record_execution`].
    pub fn record(
        &mut self,
        tool: &str,
        args: &(impl Serialize + ?Sized),
        result: &(impl ToolResult + ?Sized),
        timestamp: &u64,
    ) -> Result<Recorded> {
        self.record_execution(Execution::told(tool, args, result, timestamp)?)
    }

    /// As [`record_execution`]; all stores lag, which `lagging` does not tell.
    ///
    /// # Errors
    /// As [`record_execution`].
    pub fn record_execution(&mut self, execution: Execution) -> Result<Recorded> {
        let execution_id = execution.execution_id.unwrap_or_else(|| id::execution(clock::now_ms()));
        let events = events(self.db, execution_id, execution)?;
        let group = Group { events, is_timed: true };
        let report = self.recorder.record_groups(vec![group])?.pop().unwrap_or_default();
        Ok(Recorded { execution_id, duplicate: report.recorded < 2, lagging: Vec::new() })
    }
}

impl std::fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("root", &self.db.root()).finish_non_exhaustive()
    }
}

/// Whose session it is, the start and the end: one commit. What is known of the session already is
/// dropped by the recorder.
fn events(db: &ExecutionDb, id: ExecutionId, mut execution: Execution) -> Result<Vec<Event>> {
    if execution.diagnostics.is_empty() && execution.tool_name == infer::CHECK {
        let [stdout, stderr] =
            [&execution.stdout, &execution.stderr].map(|bytes| bytes.as_deref().unwrap_or(&[]));
        execution.diagnostics = check::diagnostics(check::RUST, stdout, stderr);
    }
    if execution.target_paths.is_empty() && execution.target_symbols.is_empty() {
        let named = infer::targets(&execution.tool_name, &execution.arguments, db.root());
        (execution.target_paths, execution.target_symbols) = (named.paths, named.symbols);
    }
    if execution.success && execution.changed_files.is_empty() {
        let edits =
            infer::edits(db.project(), &execution.tool_name, &execution.arguments, None, None);
        let changed = |Change { path, created }| super::ChangedFile { path, created };
        execution.changed_files = edits.into_iter().map(changed).collect();
    }
    let at_ms = execution.timestamp;
    let tool = execution.tool_name.clone();
    let started = ExecutionStarted {
        execution: id,
        tool: tool.clone(),
        arguments: Json(std::mem::take(&mut execution.arguments)),
        paths: std::mem::take(&mut execution.target_paths),
        symbols: std::mem::take(&mut execution.target_symbols),
        // What relative paths are told from, and which repository it was.
        cwd: Some(db.root().to_string_lossy().into_owned()),
        ..ExecutionStarted::default()
    };
    let finished = ExecutionFinished { execution: id, tool, closing: closing(execution)? };
    let event =
        |body| Event { envelope: Envelope::new(Some(db.session_id()), Source::Live, at_ms), body };
    Ok(vec![
        event(Body::SessionStarted(introduction(db))),
        event(Body::ExecutionStarted(started)),
        event(Body::ExecutionFinished(finished)),
    ])
}

fn introduction(db: &ExecutionDb) -> SessionStarted {
    let (agent, native_id) = (AGENT.to_owned(), db.session().to_owned());
    SessionStarted { agent, native_id, ..SessionStarted::default() }
}

fn closing(execution: Execution) -> Result<Closing> {
    let found = execution.diagnostics;
    let mut paths: Vec<String> = found.iter().filter_map(|one| one.file_name.clone()).collect();
    paths.sort();
    paths.dedup();
    let changed = execution.changed_files.into_iter();
    Ok(Closing {
        outcome: if execution.success { Outcome::Ok } else { Outcome::Failed },
        exit_code: execution.exit_code,
        duration_ms: execution.duration_ms,
        error: execution.error_message,
        stdout: execution.stdout.map(Content::Inline),
        stderr: execution.stderr.map(Content::Inline),
        diagnostics: diagnostic::to_json(&found).map_err(|source| Error::Diagnostics { source })?,
        paths,
        symbols: Vec::new(),
        changed: changed.map(|file| Change { path: file.path, created: file.created }).collect(),
    })
}
