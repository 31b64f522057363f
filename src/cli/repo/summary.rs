//! `annals repo summary`: what steps came to.

use super::work;
use crate::cli::recorded::tell;
use crate::cli::{Context, Exit, Result, rows, session};
use crate::output::time;
use crate::repo::query::Summary;

/// Summaries of workflow steps
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// Keep a summary of a step (`annals step end` does it by itself)
    Add(Add),
    /// Latest summaries, newest last
    List(List),
}

#[derive(clap::Args, Debug)]
struct Add {
    /// What happened, what matters of it, what is to follow; - reads it from standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: String,
    /// The step, as step-3
    #[arg(long, value_name = "STEP")]
    step: String,
    /// The run that the step is of [default: ANNALS_SESSION, else the session of calls without]
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

#[derive(clap::Args, Debug)]
struct List {
    /// How many, the newest
    #[arg(short = 'n', long = "last", value_name = "COUNT", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    last: u64,
    /// Only this run's, of those
    #[arg(long, value_name = "RUN")]
    run: Option<String>,
}

pub fn run(args: Args, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    match args.what {
        What::Add(args) => add(args, repo, context),
        What::List(args) => list(args, repo, context),
    }
}

fn add(args: Add, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let text = crate::cli::memory::or_given(args.text)?;
    let run = args.run.or_else(|| context.session.clone());
    let run = run.unwrap_or_else(|| session::DEFAULT.to_owned());
    let done = work::operate(repo, context, |writer, repo| {
        writer.append_summary(repo, &run, &args.step, &text)
    })?;
    let Summary { step_id, run_id, .. } = &done.done;
    let sentence = format!("Kept the summary of {step_id} of {run_id}");
    tell(&done, &sentence, done.sequence, context)
}

fn list(args: List, repo: Option<&str>, context: &mut Context) -> Result<Exit> {
    let last = usize::try_from(args.last).unwrap_or(usize::MAX);
    let found = super::rows(repo, context, |view, repo| {
        let mut found = view.summaries(repo, last)?;
        found.retain(|it| args.run.as_ref().is_none_or(|run| it.run_id == *run));
        Ok(found)
    })?;
    let none = "No step was summed up yet. Next: annals step begin TITLE";
    let cells = |it: Summary, context: &Context| {
        let at = time::local(it.created_ms, &context.zone);
        (None, [at, it.run_id, it.step_id, rows::short(&it.summary)])
    };
    rows::listed(found, &["time", "run", "step", "summary"], none, cells, context)
}
