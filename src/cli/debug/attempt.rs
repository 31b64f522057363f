//! `annals debug attempt`: records an attempt by hand.

use std::io::Read;
use std::path::PathBuf;

use serde::Deserialize;

use super::run::Heard;
use super::{Code, Result, attempt_lines, work};
use crate::cli::{CliError, Context, Exit, catch_up};
use crate::debug::{AttemptGiven, DebugError, FixGiven};
use crate::event::{Analysis, DebugEnvironment, DebugSessionId, Fix, TestFailure, TestResults};
use crate::journal::Project;
use crate::parse::check::runner::OutputStream;

const CHUNK_BYTES: usize = 64 << 10;

/// Record an attempt: test results as numbers, JSON or a runner's log
///
/// `annals debug run` does so by itself.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// All of it as JSON in the schema's shape of an execution, an analysis and a fix in it included;
    /// - reads it from standard input
    #[arg(long, value_name = "JSON", group = "how")]
    execution: Option<String>,
    /// What a test runner printed; - reads it from standard input
    #[arg(long, value_name = "FILE", group = "how")]
    log: Option<PathBuf>,
    /// The command that printed the log, as `cargo test`
    #[arg(long, value_name = "COMMAND", requires = "log")]
    tests: Option<String>,
    /// The exit code of the command that printed the log
    #[arg(long, value_name = "CODE", requires = "log")]
    exit_code: Option<i32>,
    /// Tests that ran
    #[arg(long, value_name = "COUNT", group = "how")]
    total: Option<u64>,
    /// Tests that passed [default: those that neither failed nor were skipped]
    #[arg(long, value_name = "COUNT", requires = "total")]
    passed: Option<u64>,
    /// Tests that failed [default: those that neither passed nor were skipped]
    #[arg(long, value_name = "COUNT", requires = "total")]
    failed: Option<u64>,
    /// Tests that ended in an error of their own
    #[arg(long, value_name = "COUNT", requires = "total")]
    errors: Option<u64>,
    /// Tests that were left out
    #[arg(long, value_name = "COUNT", requires = "total")]
    skipped: Option<u64>,
    /// A failure, as JSON in the schema's shape; may be repeated
    #[arg(long = "failure", value_name = "JSON", requires = "total")]
    failures: Vec<String>,
    /// What stands for the code [default: SHA-256 of the session's file as it is now]
    #[arg(long, value_name = "HASH")]
    code_hash: Option<String>,
}

/// The schema's execution, as far as somebody can tell it: number and time are ours.
#[derive(Default, Deserialize)]
struct Told {
    code_hash: Option<String>,
    code_snapshot: Option<String>,
    environment: Option<DebugEnvironment>,
    test_results: TestResults,
    failures: Option<Vec<TestFailure>>,
    analysis: Option<Analysis>,
    fix_applied: Option<Fix>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let session = work::find(&project, &args.session, context)?;
    let told = told(&args)?;
    let code_hash = match args.code_hash.or(told.code_hash) {
        Some(hash) => hash,
        None => code(&project, session, context)?,
    };
    let given = AttemptGiven {
        execution: None,
        code_hash,
        code_snapshot: told.code_snapshot.map(String::into_bytes),
        environment: told.environment,
        results: told.test_results,
        failures: told.failures.unwrap_or_default(),
    };
    let (analysis, fix) = (told.analysis, told.fix_applied);
    let done = work::operate_on(&project, context, |writer| {
        let mut done = writer.attempt(session, given)?;
        if let Some(analysis) = analysis {
            done.done = writer.analyse(session, Some(done.attempt), analysis)?;
        }
        if let Some(fix) = fix {
            let given = FixGiven { fix, template: None };
            done.done = writer.fix(session, Some(done.attempt), given)?;
        }
        Ok(done)
    })?;
    if context.output.as_json(&done)? {
        return Ok(Exit::Fine);
    }
    for line in attempt_lines::attempt_lines(&done) {
        context.output.line(crate::output::escape::line(&line))?;
    }
    Ok(Exit::Fine)
}

fn told(args: &Args) -> Result<Told> {
    if let Some(json) = &args.execution {
        return super::json("execution", json);
    }
    let failures = args.failures.iter().map(|it| super::json("failures", it));
    let failures = failures.collect::<Result<Vec<TestFailure>, _>>()?;
    if let Some(log) = &args.log {
        return of_log(log, args);
    }
    let what =
        "say what the tests came to: --total with --passed or --failed, --execution, or --log";
    let total = args.total.ok_or(CliError::Refused { what })?;
    let others = args.skipped.unwrap_or_default().saturating_add(args.errors.unwrap_or_default());
    let rest = |known: u64| total.saturating_sub(known).saturating_sub(others);
    let (passed, failed) = match (args.passed, args.failed) {
        (Some(passed), Some(failed)) => (passed, failed),
        (Some(passed), None) => (passed, rest(passed)),
        (None, Some(failed)) => (rest(failed), failed),
        (None, None) => return Err(CliError::Refused { what }),
    };
    let (errors, skipped) = (args.errors, args.skipped);
    let test_results =
        TestResults { total, passed, failed, errors, skipped, ..TestResults::default() };
    Ok(Told { test_results, failures: Some(failures), ..Told::default() })
}

/// Reads a log of any length, a piece at a time.
fn of_log(log: &PathBuf, args: &Args) -> Result<Told> {
    let heard = Heard::of(&args.tests.iter().cloned().collect::<Vec<_>>());
    let read = |source| CliError::io("read", log, source);
    let mut from: Box<dyn Read> = match log.to_str() {
        Some("-") => Box::new(std::io::stdin()),
        _ => Box::new(std::fs::File::open(log).map_err(read)?),
    };
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match from.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => heard.take(OutputStream::Stdout, &chunk[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(read(error)),
        }
    }
    let report = heard.finish(args.exit_code, None);
    if !report.is_understood && args.exit_code.is_none_or(|code| code == 0) {
        let what = "the log says nothing of tests: name the command with --tests, and --exit-code";
        return Err(CliError::Refused { what });
    }
    let is_told = report.environment != DebugEnvironment::default();
    let environment = is_told.then_some(report.environment);
    let failures = Some(report.failures);
    Ok(Told { environment, failures, test_results: report.results, ..Told::default() })
}

/// The hash of the session's file as it is now.
fn code(project: &Project, session: DebugSessionId, context: &mut Context) -> Result<String> {
    catch_up::catch_up(project, context);
    let stores = catch_up::stores(project, context)?;
    let Some(found) = stores.debug().session(session)? else {
        return Err(DebugError::NoSession { session: session.to_string() }.into());
    };
    let path = project.root().join(&found.file_path);
    Code::of(&path, false).map(|code| code.hash).map_err(|source| {
        let why = format!("is not given, and {} cannot be read: {source}", path.display());
        DebugError::Field { field: "code_hash".to_owned(), why }.into()
    })
}
