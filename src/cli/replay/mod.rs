//! `annals replay`: what happened, step by step, from nothing but the journal.

mod debug;
mod end;
mod grounding;
mod json;
mod memory;
mod messages;
mod phase;
mod repo;
mod stepper;
mod text;

#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::time::Duration;

use super::journals::{self, Named};
use super::narrow::BoundArgs;
use super::{Context, Exit, Result, damage, shown};
use crate::execution::replay::{Step, Walk, Window};
use crate::output::escape;
use crate::output::stream::{Colour, Format};
use end::Ended;
pub use messages::tokens;

/// Replay what happened, step by step, from the journal alone
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
    #[arg(long, value_name = "X", value_parser = speed)]
    pub speed: Option<f64>,
    /// Print all of it, on a terminal too
    #[arg(long)]
    pub all: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
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

fn whole(named: &Named, window: Window, args: &Args, context: &mut Context) -> Result<Exit> {
    let mut walk = Walk::open(&named.journal, named.reading, window)?;
    let mut pace = args.speed.map(Pace::new);
    let mut steps = 0;
    if !context.output.is_json() {
        let head = format!("Replay of {}", shown(&named.journal));
        context.output.coloured(Colour::Dim, &head)?;
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

fn print(named: &Named, walk: &Walk, step: &Step, context: &mut Context) -> Result<()> {
    if context.output.format != Format::Table {
        let document = json::step(named.name.as_deref(), step, walk.contents());
        return Ok(context.output.json_line(&document)?);
    }
    let told = text::told(step, walk.contents(), PRINTED, &context.zone);
    context.output.blank()?;
    let stores = Line { colour: Some(Colour::Dim), margin: SAID, text: told.stores };
    for line in [&told.head].into_iter().chain(&told.lines).chain([&stores]) {
        let text = context.output.paint(line.colour, &line.text);
        context.output.line(format_args!("{}{text}", line.margin))?;
    }
    Ok(())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub colour: Option<Colour>,
    /// What stands before it, and before each of its parts where it is wrapped.
    pub margin: &'static str,
    /// Escaped.
    pub text: String,
}

/// Before what annals itself says of a step.
pub const SAID: &str = "       ";
/// Before what came from elsewhere: nothing that was recorded can look like a step.
pub const QUOTED: &str = "       | ";

/// How much of what was printed or given is shown.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub lines_max: usize,
    pub bytes_max: usize,
}

/// Of a whole replay, and of a step on a screen that can be scrolled.
pub const PRINTED: Bounds = Bounds { lines_max: 40, bytes_max: 8 << 10 };
pub const SCROLLED: Bounds = Bounds { lines_max: 4_000, bytes_max: 512 << 10 };
/// Prompts are shown whole.
pub const WHOLE: Bounds = Bounds { lines_max: usize::MAX, bytes_max: usize::MAX };

#[derive(Debug, Default)]
pub struct Lines {
    pub lines: Vec<Line>,
}

impl Lines {
    pub fn say(&mut self, colour: Option<Colour>, text: &str) {
        let text = escape::line(text).into_owned();
        self.lines.push(Line { colour, margin: SAID, text });
    }

    /// A name and what it has, where it has something.
    pub fn field(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.say(None, &format!("{name} {value}"));
        }
    }

    /// A text from elsewhere, line by line, up to the bounds.
    pub fn quote(&mut self, text: &str, bounds: Bounds) {
        let shown = &text[..text.floor_char_boundary(bounds.bytes_max)];
        let mut left = text.len() - shown.len();
        for (at, line) in shown.strip_suffix('\n').unwrap_or(shown).split('\n').enumerate() {
            if at >= bounds.lines_max {
                left += shown.split('\n').skip(at).map(|line| line.len() + 1).sum::<usize>();
                break;
            }
            let line = line.strip_suffix('\r').unwrap_or(line);
            let text = escape::block(line).into_owned();
            self.lines.push(Line { colour: None, margin: QUOTED, text });
        }
        if left > 0 {
            self.say(Some(Colour::Dim), &format!("… {left} more bytes: --format jsonl has all"));
        }
    }
}

/// No pause is longer, whatever the speed: a night between two prompts is none.
const PAUSE_MAX: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Pace {
    speed: f64,
    last_ms: Option<u64>,
}

impl Pace {
    pub fn new(speed: f64) -> Self {
        Self { speed, last_ms: None }
    }

    pub fn before(&mut self, at_ms: Option<u64>) -> Duration {
        let Some(at_ms) = at_ms else { return Duration::ZERO };
        let since = self.last_ms.map_or(0, |last_ms| at_ms.saturating_sub(last_ms));
        self.last_ms = Some(at_ms);
        let wait = Duration::from_millis(since).as_secs_f64() / self.speed;
        Duration::try_from_secs_f64(wait).map_or(PAUSE_MAX, |wait| wait.min(PAUSE_MAX))
    }
}

/// Reads `--speed`: a number above 0.
pub fn speed(text: &str) -> Result<f64, String> {
    match text.trim_end_matches(['x', '×']).parse::<f64>() {
        Ok(speed) if speed > 0.0 && speed.is_finite() => Ok(speed),
        _ => Err("give a number above 0: 1 as recorded, 10 ten times as fast".to_owned()),
    }
}
