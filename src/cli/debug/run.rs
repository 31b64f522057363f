//! `annals debug run`: runs the tests, records them as an attempt, answers with their exit code.

use std::ffi::OsString;
use std::io;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::sessions::Of;
use super::{Code, Result, attempt_lines, work};
use crate::cli::run::Ended;
use crate::cli::{CliError, Context, Exit, run as runs, with_causes};
use crate::debug::{AttemptGiven, DebugError, runtime};
use crate::event::{DebugEnvironment, ExecutionId};
use crate::journal::Project;
use crate::output::escape;
use crate::parse::check::runner::{OutputStream, TestReport, TestReportReader, TestRunner};

/// Run the tests, and record the result as an attempt at a file
///
/// What cargo test, cargo nextest, pytest, jest and go test print is understood: totals, failures, where
/// they come from, coverage. It is an attempt of the file's newest session that is open, else of a new one.
/// The command runs as with `annals run`: its output goes through as it comes, and its exit code is the
/// answer whatever happens to the log. What it came to, what looked like it before and what helped then is
/// said on standard error (as one JSON document with --json). A command that somebody ended before it was
/// through is no attempt, and neither is one where FILE cannot be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file that is under repair
    file: PathBuf,
    /// Keep the file's code with the attempt, whatever debug.snapshot of the settings says
    #[arg(long)]
    snapshot: bool,
    #[command(flatten)]
    of: Of,
    /// The command that runs the tests, and its arguments
    #[arg(required = true, last = true, value_name = "CMD")]
    argv: Vec<OsString>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    // Wrong usage of ours is no reason to run the command unrecorded.
    context.must_write()?;
    let words: Vec<String> = args.argv.iter().map(|it| it.to_string_lossy().into_owned()).collect();
    let project = context.project();
    if let Ok(project) = &project {
        project.must_act_by_settings()?;
    }
    let wants_snapshot =
        args.snapshot || project.as_ref().is_ok_and(|project| project.config().debug.snapshot);
    let place = project.as_ref().map_or(args.file.clone(), |it| work::place(it, &args.file));
    // The code that is tested is the code before the run. The command runs whatever becomes of that.
    let code = Code::of(&place, wants_snapshot);
    let heard = Heard::of(&words);
    let out = heard.along(OutputStream::Stdout, io::stdout());
    let err = heard.along(OutputStream::Stderr, io::stderr());
    let (ended, execution) = runs::execute_into(&args.argv, None, None, context, out, err);
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) => return Ok(runs::could_not_start(&args.argv, &error, context)),
    };
    if ended.is_interrupted() {
        context.output.note("interrupted: no attempt recorded");
        return Ok(Exit::Child(ended.code));
    }
    let code = match code {
        Ok(code) => code,
        Err(error) => {
            no_code(&args.file, &place, &error, context);
            return Ok(Exit::Child(ended.code));
        }
    };
    // Where there is no project, that was told already.
    if let Ok(project) = project {
        let file = work::file(&project, &args.file);
        let told = attempt(&project, file, args.of, code, &heard, &ended, execution, context);
        if let Err(error) = told {
            not_told(&error, context);
        }
    }
    Ok(Exit::Child(ended.code))
}

/// Says that there is no attempt, for want of the code's hash.
fn no_code(file: &Path, place: &Path, error: &io::Error, context: &mut Context) {
    let (name, why) = match place.is_dir() {
        true => (file, "it is a folder".to_owned()),
        false => (place, error.to_string()),
    };
    let text = format!("no attempt recorded: {} cannot be read: {why}", name.display());
    context.output.note(escape::line(&text));
    context
        .output
        .note("try: annals debug run FILE -- COMMAND, where FILE is the file under repair");
}

/// Says what is not recorded, or only cannot be read back.
fn not_told(error: &CliError, context: &mut Context) {
    let Some(DebugError::Unread { sequence, source }) = error.below() else {
        return runs::unrecorded(error, context);
    };
    let why = with_causes(source.as_ref());
    let text =
        format!("the attempt is recorded as event {sequence}; index.db cannot be read: {why}");
    context.output.note(escape::line(&text));
    context.output.note("try: annals status");
}

#[expect(clippy::too_many_arguments, reason = "the parts of one attempt, put together once")]
fn attempt(
    project: &Project,
    file: String,
    of: Of,
    code: Code,
    heard: &Heard,
    ended: &Ended,
    execution: Option<ExecutionId>,
    context: &mut Context,
) -> Result<()> {
    let report = heard.finish(Some(i32::from(ended.code)), Some(ended.duration_ms));
    if !report.is_understood && ended.code == 0 {
        let text = "nothing of its output says how many tests ran: it is no attempt";
        context.output.note(text);
        context.output.note("try: annals debug attempt --passed COUNT --total COUNT");
        return Ok(());
    }
    let mut environment = report.environment;
    runtime::complete(&mut environment, heard.runner());
    let given = AttemptGiven {
        execution,
        code_hash: code.hash,
        code_snapshot: code.snapshot,
        environment: (environment != DebugEnvironment::default()).then_some(environment),
        results: report.results,
        failures: report.failures,
    };
    let open = of.given(file);
    let done = work::operate_on(project, context, |writer| writer.attempt_at(open, given))?;
    if context.output.is_json() {
        // Standard output is the command's own. Serialization of these types has no way to fail.
        let text = serde_json::to_string(&done).unwrap_or_default();
        context.output.error_line(escape::json(&text));
        return Ok(());
    }
    attempt_lines::attempt_lines(&done)
        .into_iter()
        .for_each(|line| context.output.note(escape::line(&line)));
    Ok(())
}

/// Reads along both outputs of a child.
#[derive(Clone)]
pub struct Heard {
    reader: Arc<Mutex<TestReportReader>>,
    runner: Option<TestRunner>,
}

/// One output on its way.
struct Along<W> {
    to: W,
    stream: OutputStream,
    heard: Heard,
}

impl Heard {
    pub fn of(words: &[String]) -> Self {
        let reader = TestReportReader::of(words);
        let reader = match std::env::current_dir() {
            Ok(folder) => reader.in_folder(&folder),
            Err(_) => reader, // paths stay as they are printed
        };
        Self { runner: reader.runner(), reader: Arc::new(Mutex::new(reader)) }
    }

    pub fn runner(&self) -> Option<TestRunner> {
        self.runner
    }

    pub fn along(
        &self,
        stream: OutputStream,
        to: impl Write + Send + 'static,
    ) -> Box<dyn Write + Send> {
        Box::new(Along { to, stream, heard: self.clone() })
    }

    pub fn take(&self, stream: OutputStream, bytes: &[u8]) {
        // A reader that panicked has what it had read before.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner).feed(stream, bytes);
    }

    /// What the tests came to. What a child left behind may still print is not waited for.
    pub fn finish(&self, exit_code: Option<i32>, duration_ms: Option<u64>) -> TestReport {
        let none: [&str; 0] = [];
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = std::mem::replace(&mut *reader, TestReportReader::of(&none));
        reader.finish(exit_code, duration_ms)
    }
}

impl<W: Write> Write for Along<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.heard.take(self.stream, &bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
