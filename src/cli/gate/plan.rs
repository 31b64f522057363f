//! `annals gate plan`: whether a plan reads before it edits.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::super::grounded::Grounded;
use super::super::{CliError, Context, Exit, counted, with_causes};
use crate::grounding::gate::{PLAN_BYTES_MAX, PlanError, PlanVerdict, check_plan};
use crate::output::{escape, wire};

/// Check a plan: exit 1 where an edit has no read of the timeline before it, and where it cannot be read
///
/// A plan is a JSON list of steps, [{"tool": "memory_query"}, {"tool": "file_edit", "arguments":
/// {"path": "src/a.rs"}}]; `name` and `args`, `input` or `params` are understood as well, and an
/// object that holds the list as `steps` or `plan`. The first edit needs a read step before it, and
/// so does each edit that follows a check or a shell step. A shell step that writes (sed -i) is an edit.
/// Refused are also a plan or a step that cannot be read, a plan without steps, and a tool that is neither
/// an agent's own nor declared (annals tool declare): nobody knows whether it edits.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The plan's file, or - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The session that the check is recorded for [default: ANNALS_SESSION; without one it is not]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    let is_declared = |tool: &str| grounded.file.grounding().is_declared(tool);
    // What cannot be read is a finding like any other.
    let unreadable = |text: &str, error: PlanError| {
        PlanVerdict::unreadable(text.as_bytes(), with_causes(&error))
    };
    let verdict = match read(&args.file) {
        Ok(text) => check_plan(&project.config().policy, is_declared, &text)
            .unwrap_or_else(|error| unreadable(&text, error)),
        Err(error) => unreadable("", error),
    };
    if grounded.is_named {
        grounded.record(vec![verdict.body()], context)?;
    }
    print(&verdict, context)?;
    Ok(if verdict.is_accepted() { Exit::Fine } else { Exit::Findings })
}

/// The plan's text, no more of it than is read anyway.
fn read(path: &Path) -> Result<String, PlanError> {
    let bytes_max = PLAN_BYTES_MAX as u64 + 1;
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        io::stdin().take(bytes_max).read_to_string(&mut text)
    } else {
        open(path).and_then(|file| file.take(bytes_max).read_to_string(&mut text))
    };
    read.map_err(|source| PlanError::Unread { path: path.to_owned(), source })?;
    Ok(text)
}

/// A pipe or a device is not waited for.
fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is no regular file; - reads standard input"));
    }
    File::open(path)
}

fn print(verdict: &PlanVerdict, context: &mut Context) -> Result<(), CliError> {
    if context.output.is_json() {
        let fault = |fault: &crate::event::PlanFault| wire::PlanFault {
            step: fault.step,
            tool: fault.tool.clone(),
            reason: fault.reason.clone(),
        };
        context.output.json(&wire::PlanVerdict {
            accepted: verdict.is_accepted(),
            steps: verdict.steps,
            faults: verdict.faults.iter().map(fault).collect(),
        })?;
        return Ok(());
    }
    let steps = counted(verdict.steps, "step");
    if verdict.is_accepted() {
        context.output.line(format_args!("{steps}: every edit has a read before it"))?;
        return Ok(());
    }
    context.output.line(format_args!("{steps}, refused:"))?;
    for fault in &verdict.faults {
        if fault.step == 0 {
            context.output.line(format_args!("  {}", escape::line(&fault.reason)))?;
            continue;
        }
        let tool = escape::line(&fault.tool);
        let tool = if tool.is_empty() { "?".into() } else { tool };
        context.output.line(format_args!("  step {} ({tool}): {}", fault.step, fault.reason))?;
    }
    if verdict.steps == 0 {
        context.output.line("annals gate plan --help shows a plan")?;
        return Ok(());
    }
    context.output.line(
        "Put a step that reads the timeline before each of them: memory_query, or `annals timeline` in a shell",
    )?;
    Ok(())
}
