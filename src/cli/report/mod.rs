//! `annals report`: what happened, as a page that one gives away.

mod html;
mod page;

use std::path::{Path, PathBuf};

use super::checkpoint::write_private;
use super::narrow::BoundArgs;
use super::{CliError, Context, Exit, Result, catch_up, counted, journals, shown, written};
use crate::config::Prices;
use crate::journal::Source;
use crate::journal::trust::user_config;
use crate::output::{escape, time};
use crate::report::{AskedFor, Report, Subject};

/// Make a page of what happened, to read, print or send
///
/// One HTML file that needs nothing else and asks for nothing: what was asked and done, by which agent and
/// model, how it ended, each check over time and how failures ended, files with their diffs, what the gate
/// refused, memory, redactions, whether the record holds and what it can be held against, and the stores as of
/// each step. It is written for its owner alone, and never over a file. Long sessions are cut where it says so.
///
/// The same journal and the same words give the same bytes; an age (2h) is of now. What is wrong with the
/// journal stands on top of the page.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    part: BoundArgs,
    /// The new file, or - for standard output; with --json a document instead of a page
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["json", "format"])]
    output: Option<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let what = "a report is of one journal: give one --dir";
    let mut sources = context.sources()?;
    let source = sources.pop().filter(|_| sources.is_empty()).ok_or(CliError::Refused { what })?;
    let report = report(&args, &source, context)?;
    let to_file = args.output.as_deref().filter(|path| *path != Path::new("-"));
    let text = match context.output.is_json() {
        true if to_file.is_none() => {
            context.output.json(&report)?;
            return Ok(Exit::Fine);
        }
        true => {
            let json = serde_json::to_string_pretty(&report).map_err(std::io::Error::from)?;
            format!("{}\n", escape::json(&json))
        }
        false => page::page(&report),
    };
    let Some(path) = to_file else {
        context.output.raw(text.as_bytes())?;
        return Ok(Exit::Fine);
    };
    write_private(path, &text)?;
    written::remember(&[source], "report", path, context);
    if context.output.is_json() {
        return Ok(Exit::Fine);
    }
    let summary = &report.summary;
    let told = format!(
        "{}: {} of {}, {}",
        shown(path),
        counted(summary.totals.calls, "call"),
        counted(report.sessions.count(), "session"),
        time::bytes(text.len() as u64)
    );
    context.output.line(told)?;
    Ok(Exit::Fine)
}

fn report(args: &Args, source: &Source, context: &mut Context) -> Result<Report> {
    let asked = args.part.asked(context)?;
    let opened = catch_up::open(source, false, context)?;
    let reading = opened.reading();
    let window = journals::window(&asked, &opened.journal, reading, context)?;
    let prices = user_config().map(|it| it.prices).unwrap_or_else(|error| {
        context.output.note(format_args!("{error}. No prices are used until that is corrected"));
        Prices::default()
    });
    let exit = context.contradiction.judge(context.damage.judge(Exit::Fine));
    let BoundArgs { session, from, to } = &args.part;
    let subject = Subject {
        source,
        reading,
        stores: &opened.stores,
        window,
        durable: journals::durable(source, reading),
        cache: &context.cache,
        prices: &prices,
        asked: AskedFor {
            session: session.clone(),
            from: from.clone(),
            to: to.clone(),
            at: context.at.clone(),
        },
        findings: context.output.incomplete.clone(),
        exit_code: exit.code(),
    };
    Ok(Report::of(&subject)?)
}
