//! `annals blame`: which call wrote the lines of a file last.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::journals::Opened;
use super::{Context, Exit, Result, catch_up, quote, rows};
use crate::execution::query::diff::blame::Blame;
use crate::output::stream::Colour;
use crate::output::table::Table;
use crate::output::{escape, time};

/// A larger file is no source.
const BYTES_MAX: u64 = 16 << 20;

/// Which calls wrote the lines of a file last, and what for
///
/// Of the file as it is now; where it is not there, of its lines that are known last. Lines that no recorded
/// edit wrote have a dash.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A path, or the end of one that was recorded
    path: String,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    let opened = catch_up::open_all(context)?;
    let mut found = Vec::new();
    for one in &opened {
        let path = super::trace::path(one, &args.path);
        let now = now(one, Path::new(&path));
        let now = now.map(|it| String::from_utf8_lossy(&it).into_owned());
        found.extend(one.stores.blame(&path, now.as_deref())?);
    }
    if context.output.as_json_of_journals(&found)? {
        return Ok(Exit::Fine);
    }
    if found.is_empty() {
        let word = quote::word(&escape::line(&args.path));
        context.output.line(format_args!("Nothing recorded named {word}. Next: annals log"))?;
    }
    found.iter().try_for_each(|blame| print(blame, context))?;
    Ok(Exit::Fine)
}

/// What a file holds, where it is there and of a size that is read.
pub(super) fn now(of: &Opened, path: &Path) -> Option<Vec<u8>> {
    let place = of.places.root.join(path);
    let is_file = std::fs::metadata(&place).is_ok_and(|about| about.is_file());
    if of.evidence || of.at.is_some() || !is_file {
        return None;
    }
    let mut bytes = Vec::new();
    let file = File::open(&place).ok()?; // what cannot be read is not there
    file.take(BYTES_MAX + 1).read_to_end(&mut bytes).ok()?; // the same
    (bytes.len() as u64 <= BYTES_MAX).then_some(bytes)
}

fn print(blame: &Blame, context: &mut Context) -> Result<()> {
    if blame.is_recorded {
        let path = escape::line(&blame.path).into_owned();
        let text = format!("{path} is not there: its lines as they were last known");
        context.output.coloured(Colour::Dim, text)?;
    }
    let width = blame.calls.iter().map(|call| call.no.len()).max().unwrap_or(1);
    let digits = blame.lines.len().to_string().len();
    for line in &blame.lines {
        let no = line.call.map_or("-", |call| &blame.calls[call].no);
        let (number, text) = (line.line, escape::block(&line.text));
        let head =
            context.output.paint(Colour::Dim, format_args!("{no:>width$}  {number:>digits$}"));
        context.output.line(format_args!("{head}  {text}"))?;
    }
    if blame.calls.is_empty() {
        return Ok(());
    }
    context.output.blank()?;
    let mut table = Table::new(&[">no", "time", "session", "tool", "asked for by"]);
    for call in &blame.calls {
        let row = &call.execution;
        let session = row.session.map(|it| it.to_string().chars().take(8).collect());
        let prompt = call.prompt.as_deref().map(rows::short).unwrap_or_default();
        let at = time::local(row.at_ms, &context.zone);
        table.row(
            None,
            &[call.no.clone(), at, session.unwrap_or_default(), row.tool.clone(), prompt],
        );
    }
    Ok(table.print(&mut context.output)?)
}
