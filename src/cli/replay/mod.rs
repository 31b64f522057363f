//! `annals replay`: what happened, step by step, from nothing but the journal.

mod debug;
mod end;
mod grounding;
mod json;
mod line;
mod memory;
mod pace;
mod phase;
mod repo;
mod stepper;
mod text;

#[cfg(test)]
mod tests;

use std::io::IsTerminal;

use super::bound::BoundArgs;
use super::damage;
use super::journals::{self, Named};
use super::{CliError, Context, Exit, shown};
use crate::execution::replay::{Step, Walk, Window};
use crate::output::stream::{Colour, Format};
use end::Ended;
use line::{Line, PRINTED};
use pace::Pace;

/// What happened, step by step, from nothing but the journal
///
/// Prompts, calls with their arguments, how they ended and what they printed, files, diagnostics,
/// corrections and recoveries, and after each step the stores as they stand there. It opens no
/// store, takes no lock and writes nothing: it works on a copy, a lone segment, a read-only disk.
/// On a terminal it goes by key (space next, b back, g NUMBER, / search, f failures only, q);
/// `--speed` plays it as the recorded times say; else it prints all.
///
/// At its end it says whether the journal verified and which records it could not show; the exit
/// code is verify's: 3 damaged, 1 a torn tail or the like, or contents that are gone, 0 where
/// everything holds.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    pub part: BoundArgs,
    /// Play it: 1 as recorded, 10 ten times as fast; no pause is longer than two seconds
    #[arg(long, value_name = "X", value_parser = pace::speed)]
    pub speed: Option<f64>,
    /// Print all of it, on a terminal too
    #[arg(long)]
    pub all: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let asked = args.part.asked(context)?;
    let journals = journals::named(context)?;
    let mut exit = Exit::Fine;
    for named in &journals {
        damage::note(&named.source, context);
        let window = journals::window(&asked, &named.journal, named.reading, context)?;
        let ended = match steps(&args, context) {
            true => stepper::run(named, window, context)?,
            false => whole(named, window, &args, context)?,
        };
        exit = exit.worse(ended);
    }
    Ok(exit)
}

/// Whether somebody sits there who can press keys.
fn steps(args: &Args, context: &Context) -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
    let wanted = !args.all && args.speed.is_none() && context.output.format == Format::Table;
    wanted && !dumb && context.output.terminal && std::io::stdin().is_terminal()
}

/// Prints every step, then the end.
fn whole(
    named: &Named,
    window: Window,
    args: &Args,
    context: &mut Context,
) -> Result<Exit, CliError> {
    let mut walk = Walk::open(&named.journal, named.reading, window)?;
    let mut pace = args.speed.map(Pace::new);
    let mut steps = 0;
    if !context.output.is_json() {
        let head = format!("Replay of {}", shown(&named.journal));
        let head = context.output.paint(Colour::Dim, &head);
        context.output.line(head)?;
    }
    while let Some(step) = walk.next() {
        let step = step?;
        if let Some(pace) = &mut pace {
            context.output.flush()?;
            std::thread::sleep(pace.before(step.at_ms()));
        }
        steps = step.number;
        print(named, &walk, &step, context)?;
    }
    let ended = Ended::of(named, walk.window(), steps, walk.unshown().clone(), &context.cache)?;
    if !context.output.is_json() {
        context.output.blank()?;
    }
    ended.print(&named.journal, context)?;
    Ok(ended.exit())
}

fn print(named: &Named, walk: &Walk, step: &Step, context: &mut Context) -> Result<(), CliError> {
    if context.output.format != Format::Table {
        let document = json::step(named.name.as_deref(), step, walk.contents());
        return Ok(context.output.json_line(&document)?);
    }
    let told = text::told(step, walk.contents(), PRINTED, &context.zone);
    context.output.blank()?;
    let stores = Line { colour: Some(Colour::Dim), margin: line::SAID, text: told.stores };
    for line in [&told.head].into_iter().chain(&told.lines).chain([&stores]) {
        let text = match line.colour {
            Some(colour) => context.output.paint(colour, &line.text),
            None => line.text.clone(),
        };
        context.output.line(format_args!("{}{text}", line.margin))?;
    }
    Ok(())
}
