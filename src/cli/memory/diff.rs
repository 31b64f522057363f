//! `annals memory diff`: what two branches see differently.

use super::look;
use crate::cli::rows::short;
use crate::cli::{CliError, Context, Exit};
use crate::memory::query::MemorySide;
use crate::memory::{MemoryError, query as memory};
use crate::output::stream::Colour;
use crate::output::wire::memory::{CoreValue, Difference, MemoryDiff, RecallEvent, Record};
use crate::output::{escape, time};

/// What two branches see differently: keys, events, records
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A branch, or the node it stands for
    #[arg(value_name = "A")]
    a: String,
    /// The other
    #[arg(value_name = "B")]
    b: String,
    /// End with 1 where they differ
    #[arg(long)]
    exit_code: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let found = look::each(context, |one| {
        let branch = |name: &str| -> Result<String, CliError> {
            let found = memory::branch_of(&one.view, name)?;
            Ok(found.ok_or_else(|| MemoryError::NoBranch { name: name.to_owned() })?)
        };
        let (a, b) = (branch(&args.a)?, branch(&args.b)?);
        let side = |branch| MemorySide { view: one.view, branch, now_ms: one.now_ms };
        Ok(MemoryDiff::of(&a, &b, &memory::diff(&side(&a), &side(&b))?))
    })?;
    if found.is_empty() {
        return Err(MemoryError::NoBranch { name: args.a }.into());
    }
    let alike = found.iter().all(MemoryDiff::is_empty);
    let exit = if args.exit_code && !alike { Exit::Findings } else { Exit::Fine };
    if context.output.is_json() {
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(exit);
    }
    for one in &found {
        print(one, context)?;
    }
    Ok(exit)
}

fn print(one: &MemoryDiff, context: &mut Context) -> Result<(), CliError> {
    if one.is_empty() {
        let text = format!("{} and {} see the same", one.a, one.b);
        context.output.line(escape::line(&text))?;
        return Ok(());
    }
    let zone = context.zone.clone();
    let at = |ts: f64| time::local((ts * 1_000.0).round() as u64, &zone);
    let key = |it: &CoreValue| format!("{}: {}", it.key, short(&it.value));
    let event = |it: &RecallEvent| format!("{} [{}] {}", at(it.ts), it.kind, short(&it.text));
    let record = |it: &Record| format!("{} {}", at(it.ts), short(&it.text));
    let lines = |what: &'static str, lines: Vec<Side>| (what, lines);
    for (what, lines) in [
        lines("keys", sides(&one.core, key)),
        lines("events", sides(&one.recall, event)),
        lines(
            "summaries",
            sides(&one.summaries, |it| format!("[{}] {}", it.kind, short(&it.text))),
        ),
        lines("records", sides(&one.archival, record)),
    ] {
        if lines.is_empty() {
            continue;
        }
        let title = context.output.paint(Colour::Bold, what);
        context.output.line(title)?;
        for (sign, text) in lines {
            let colour = if sign == '-' { Colour::Red } else { Colour::Green };
            let line = format!("  {sign} {}", escape::line(&text));
            let line = context.output.paint(colour, &line);
            context.output.line(line)?;
        }
    }
    let text = format!("- only {} sees, + only {}", one.a, one.b);
    let text = context.output.paint(Colour::Dim, &escape::line(&text));
    Ok(context.output.line(text)?)
}

/// Whether only the first sees it (`-`) or only the second (`+`), and what.
type Side = (char, String);

fn sides<T>(difference: &Difference<T>, told: impl Fn(&T) -> String) -> Vec<Side> {
    let mut lines: Vec<Side> = difference.only_a.iter().map(|it| ('-', told(it))).collect();
    for pair in &difference.different {
        lines.extend([('-', told(&pair.a)), ('+', told(&pair.b))]);
    }
    lines.extend(difference.only_b.iter().map(|it| ('+', told(it))));
    lines
}
