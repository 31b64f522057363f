//! `annals export atif`: sessions as trajectories, a document each.

use std::path::{Path, PathBuf};

use super::destination::Destination;
use super::part::PartArgs;
use super::{Format, journals, shown};
use crate::agents::atif::written::{self as trajectory, Which};
use crate::agents::outward::{Known, Plan};
use crate::cli::{CliError, Context, Exit, Result, counted, damage, written};
use crate::execution::replay::{Walk, Window};
use crate::journal::Reading;

/// Write sessions as ATIF trajectories (Harbor's Agent Trajectory Interchange Format, v1.7), a document each
///
/// A prompt is a step, and an answer with the calls that follow it: what they were given and what they printed. How a call
/// ended, its times and what else the format has no words for stands in `extra.annals` of its step; `annals import` reads
/// it back. Of a text above 4 MiB the two ends are written. docs/exported.md says what is not in it.
///
/// The exit code is 1 where events could not be read.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file that ends in `.json`, or `-` for standard output: then for one session; else a folder, made where there is
    /// none, in which each session has a file
    #[arg(value_name = "TO")]
    pub target: PathBuf,
    /// Without what agents said
    #[arg(long)]
    pub no_answers: bool,
    #[command(flatten)]
    pub part: PartArgs,
}

const ONE: &str = "a trajectory is of one session: name one with --session, or a folder";

pub fn run(args: &Args, context: &mut Context) -> Result<Exit> {
    let journals = journals::named(context)?;
    for named in &journals {
        damage::ask(&named.source, context);
    }
    let is_one = args.target == Path::new("-") || args.target.extension() == Some("json".as_ref());
    let mut found = Vec::new();
    for named in &journals {
        let part = args.part.durable(named, context)?;
        let mut walk = Walk::events(&named.journal, named.reading, Plan::window(&part))?;
        let plan = Plan::of(&mut walk)?;
        let unshown = walk.unshown();
        let unread = unshown.lost.count + unshown.undecodable.count > 0;
        found.push((named, part, plan, unread));
    }
    let is_wanted = |part: &Window, known: &Known| {
        part.sessions.as_ref().is_none_or(|wanted| wanted.contains(&known.id))
    };
    let sessions = found
        .iter()
        .flat_map(|(_, part, plan, _)| plan.sessions.iter().filter(|known| is_wanted(part, known)));
    if is_one && sessions.count() != 1 {
        return Err(CliError::Refused { what: ONE });
    }
    if !is_one {
        std::fs::create_dir_all(&args.target)
            .map_err(|source| CliError::io("make", &args.target, source))?;
    }
    if args.target != Path::new("-") {
        written::remember(&context.sources()?, "export", &args.target, context);
    }
    let (mut documents, mut steps, mut exit) = (0, 0, Exit::Fine);
    for (named, part, plan, unread) in &found {
        for known in plan.sessions.iter().filter(|known| is_wanted(part, known)) {
            let path = match is_one {
                true => Some(args.target.clone()).filter(|it| it != Path::new("-")),
                false => Some(args.target.join(format!("{}.json", known.id))),
            };
            let which = Which { plan, known, part, answers: !args.no_answers };
            let written = write(&named.journal, named.reading, which, path.as_ref(), context)?;
            documents += u64::from(written > 0);
            steps += written;
        }
        if *unread {
            exit = exit.worse(Exit::Findings);
            context.output.note(format_args!("not all of {} could be read", shown(&named.journal)));
            context.output.note("try: annals verify");
        }
    }
    if args.target != Path::new("-") {
        let (documents, steps) = (counted(documents, "document"), counted(steps, "step"));
        context.output.note(format_args!("{documents} with {steps} in {}", shown(&args.target)));
    }
    Ok(exit)
}

/// How many steps a session has; a file of none is not made.
fn write(
    journal: &Path,
    reading: Reading,
    which: Which<'_>,
    path: Option<&PathBuf>,
    context: &mut Context,
) -> Result<u64> {
    let mut walk = Walk::events(journal, reading, trajectory::window(which.known))?;
    let mut destination = Destination::open(path, Format::Jsonl, &mut context.output)?;
    let steps =
        trajectory::write::<CliError>(&mut walk, which, &mut |text| destination.part(text, false))?;
    if steps > 0 {
        destination.close()?;
    }
    Ok(steps)
}
