//! `annals gate`: what the gate would say, for agents without hooks and for people.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::command::verbs;
use super::grounded::{self, Grounded};
use super::{Context, Exit, Result, counted, with_causes};
use crate::event::{Body, GateMode, PlanChecked, PlanFault};
use crate::grounding::gate::{
    Door, JudgedCall, PLAN_BYTES_MAX, PlanError, Proposal, Refusal, check_plan, refusal_alone,
    unreadable_plan,
};
use crate::output::escape;
use crate::output::stream::Colour;

/// Ask the gate about a call or a plan (spec 001)
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

verbs! { enum What {
    Check(CheckArgs) => check,
    Plan(PlanArgs) => plan,
} }

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    args.what.run(context)
}

/// Whether a call may be made now; exit 1 if it is refused
///
/// Edits need a read of the timeline before them (`annals timeline` with ANNALS_SESSION set, or
/// memory_query). A refusal of a session that was named is recorded.
#[derive(clap::Args, Debug)]
pub struct CheckArgs {
    /// The tool, by the contract's name (file_edit) or the agent's (Edit)
    #[arg(long, value_name = "TOOL")]
    tool: String,
    /// Its arguments, a JSON object
    #[arg(long, value_name = "JSON", conflicts_with = "path")]
    args: Option<String>,
    /// The file it works on: the same as --args '{"path": …}'
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// The session [default: ANNALS_SESSION, else the session of calls that name none]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// What the verdict does [default: the settings', else enforce]: only enforce refuses
    #[arg(long, value_name = "MODE", value_parser = grounded::mode)]
    mode: Option<GateMode>,
    /// Judge as an agent's hook does: a read holds until the next failure
    #[arg(long)]
    hook: bool,
}

fn check(args: CheckArgs, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    grounded.tell_meant(args.session.as_deref(), context);
    let arguments = match (args.args, &args.path) {
        (Some(json), _) => json,
        (None, Some(path)) => serde_json::json!({ "path": path }).to_string(),
        (None, None) => "{}".to_owned(),
    };
    let door = if args.hook { Door::Hook } else { Door::Library };
    let (proposal, refusal) = grounded.check(&args.tool, &arguments, door);
    let mode = args.mode.unwrap_or_else(|| grounded::configured(&project));
    if let Some(refusal) = refusal.as_ref().filter(|_| grounded.is_named) {
        grounded.record(vec![refusal_alone(refusal, mode, None, None)], context)?;
    }
    print_verdict(refusal.as_ref(), &proposal, mode, context)?;
    let is_kept = refusal.is_some() && mode == GateMode::Enforce;
    Ok(if is_kept { Exit::Findings } else { Exit::Fine })
}

fn print_verdict(
    refusal: Option<&Refusal>,
    proposal: &Proposal,
    mode: GateMode,
    context: &mut Context,
) -> Result<()> {
    if context.output.as_json(&JudgedCall::of(proposal, refusal, mode))? {
        return Ok(());
    }
    let what = match proposal.target() {
        Some(target) => format!("{} {}", proposal.tool, target.shown),
        None => proposal.tool.clone(),
    };
    let what = escape::line(&what);
    let Some(refusal) = refusal else {
        let pass = context.output.paint(Colour::Green, "pass");
        context.output.line(format_args!("{pass}: {what}"))?;
        return Ok(());
    };
    let word = context.output.paint(Colour::Red, "refused");
    let aside = match mode {
        GateMode::Enforce => String::new(),
        mode => format!(" (the mode is {}: it would go on)", mode.as_str()),
    };
    context.output.line(format_args!("{word}: {what}{aside}"))?;
    grounded::tell(refusal, "in a shell: annals timeline", context)
}

/// Check a plan; exit 1 if an edit has no timeline read before it
///
/// It also exits with 1 if the plan cannot be read.
///
/// A plan is a JSON list of steps, [{"tool": "memory_query"}, {"tool": "file_edit", "arguments":
/// {"path": "src/a.rs"}}]; `name` and `args`, `input` or `params` are understood as well, and an
/// object that holds the list as `steps` or `plan`. The first edit needs a read step before it, and
/// so does each edit that follows a check or a shell step. A shell step that writes (sed -i) is an edit.
/// Refused are also a plan or a step that cannot be read, a plan without steps, and a tool that is neither
/// an agent's own nor declared (annals tool declare): nobody knows whether it edits.
#[derive(clap::Args, Debug)]
pub struct PlanArgs {
    /// The plan's file, or - for standard input
    file: PathBuf,
    /// The session that the check is recorded for [default: ANNALS_SESSION; without one it is not]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

fn plan(args: PlanArgs, context: &mut Context) -> Result<Exit> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    grounded.tell_meant(args.session.as_deref(), context);
    let is_declared = |tool: &str| grounded.file.grounding().is_declared(tool);
    // What cannot be read is a finding like any other.
    let unreadable =
        |text: &str, error: PlanError| unreadable_plan(text.as_bytes(), with_causes(&error));
    let verdict = match read_plan(&args.file) {
        Ok(text) => check_plan(is_declared, &text).unwrap_or_else(|error| unreadable(&text, error)),
        Err(error) => unreadable("", error),
    };
    if grounded.is_named {
        grounded.record(vec![Body::PlanChecked(verdict.clone())], context)?;
    }
    print_plan(&verdict, context)?;
    Ok(if verdict.accepted { Exit::Fine } else { Exit::Findings })
}

/// The plan's text, no more of it than is read anyway.
fn read_plan(path: &Path) -> Result<String, PlanError> {
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

#[derive(Debug, Serialize)]
pub struct PlanTold<'p> {
    accepted: bool,
    steps: u64,
    faults: &'p [PlanFault],
}

impl<'p> From<&'p PlanChecked> for PlanTold<'p> {
    fn from(checked: &'p PlanChecked) -> Self {
        let PlanChecked { accepted, steps, faults, .. } = checked;
        Self { accepted: *accepted, steps: *steps, faults }
    }
}

fn print_plan(verdict: &PlanChecked, context: &mut Context) -> Result<()> {
    if context.output.as_json(&PlanTold::from(verdict))? {
        return Ok(());
    }
    let steps = counted(verdict.steps, "step");
    if verdict.accepted {
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
