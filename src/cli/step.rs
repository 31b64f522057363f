//! `annals step begin|end`: marks a step, and says what happened in it.

use super::grounded::Grounded;
use super::step_end::end_step;
use super::{CliError, Context, Exit, damage};
use crate::event::{Body, StepBegun, SummaryMaker};
use crate::output::{escape, wire};

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
    /// The step ends: records what ran, failed and changed in it, and what is still to be done; and
    /// keeps that as a summary in the repository's memory
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
    let step = grounded.file.grounding().step_number();
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
    damage::ask_project(&project, context);
    let step = end_step(&project, args.session.as_deref(), context)?;
    if let Some(problem) = step.problem() {
        context.output.note(escape::line(&problem));
    }
    if context.output.is_json() {
        context.output.json(&step.wire())?;
        return Ok(Exit::Fine);
    }
    let ended = &step.end.ended;
    let summary = step.end.summary.as_ref();
    for line in summary.map_or(&ended.summary, |it| &it.summary).lines() {
        context.output.line(escape::line(line))?;
    }
    // The events' own text has them.
    if summary.is_none_or(|it| it.made_by != SummaryMaker::Events) {
        for line in &ended.follow_up {
            context.output.line(format_args!("to do: {}", escape::line(line)))?;
        }
    }
    Ok(Exit::Fine)
}
