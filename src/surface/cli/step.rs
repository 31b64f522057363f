//! `annals step begin|end`: marks a step, and says what happened in it.

use super::grounded::Grounded;
use super::{CliError, Context, Exit};
use crate::command::gate::step_ended;
use crate::event::{Body, StepBegun, StepEnded};
use crate::surface::{escape, wire};

/// Mark a step of the session, and tell what happened in it
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// A step begins: what follows belongs to it
    Begin(Begin),
    /// The step ends: records what ran, failed and changed in it, and what is still to be done
    End(End),
}

#[derive(clap::Args, Debug)]
struct Begin {
    /// What it is about
    #[arg(value_name = "TITLE")]
    title: Vec<String>,
    /// The session [default: ANNALS_SESSION, else the one of calls without]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

#[derive(clap::Args, Debug)]
struct End {
    /// The session [default: ANNALS_SESSION, else the one of calls without]
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    match args.what {
        What::Begin(args) => begin(args, context),
        What::End(args) => end(args, context),
    }
}

fn begin(args: Begin, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    let title = Some(args.title.join(" ")).filter(|title| !title.is_empty());
    let report =
        grounded.record(vec![Body::StepBegun(StepBegun { title: title.clone() })], context)?;
    let step = grounded.file.grounding().steps();
    if context.output.is_json() {
        context.output.json(&wire::StepBegun {
            session: grounded.session.to_string(),
            step,
            sequence: report.appended.map(|appended| appended.last.0),
            title,
        })?;
        return Ok(Exit::Fine);
    }
    let title = title.map(|title| format!(": {}", escape::line(&title))).unwrap_or_default();
    context.output.line(format_args!("Step {step} begins{title}"))?;
    Ok(Exit::Fine)
}

fn end(args: End, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let mut grounded = Grounded::open(&project, args.session.as_deref(), context)?;
    let ended = step_ended(grounded.file.grounding());
    grounded.record(vec![Body::StepEnded(ended.clone())], context)?;
    if context.output.is_json() {
        let session = grounded.session.to_string();
        context.output.json(&shown(session, ended))?;
        return Ok(Exit::Fine);
    }
    for line in ended.summary.lines() {
        context.output.line(escape::line(line))?;
    }
    for line in &ended.follow_up {
        context.output.line(format_args!("to do: {}", escape::line(line)))?;
    }
    Ok(Exit::Fine)
}

pub fn shown(session: String, ended: StepEnded) -> wire::StepEnded {
    wire::StepEnded {
        session,
        began_sequence: ended.began,
        executions: ended.executions,
        failed: ended.failed,
        refused: ended.refused,
        mutations: ended.mutations,
        checks_passed: ended.checks_passed,
        changed: ended.changed,
        follow_up: ended.follow_up,
        summary: ended.summary,
    }
}
