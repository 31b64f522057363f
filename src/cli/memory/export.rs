//! `annals memory export`: memory as a file of the reference implementation.

use std::path::PathBuf;

use super::look;
use crate::cli::{CliError, Context, Exit, counted, shown};
use crate::memory::export_memory;
use crate::output::escape;
use crate::output::wire::memory::{Exported, GoneKey};

/// Write memory as a new memory.sqlite that the reference implementation opens
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The new file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    if !context.others.is_empty() {
        return Err(CliError::Refused { what: "one memory is exported: give one --dir" });
    }
    let found = look::each(context, |one| {
        Ok(Exported::of(&args.file, &export_memory(&one.view, &args.file)?))
    })?;
    let Some(done) = found.first() else {
        context.output.line("Nothing is remembered yet: nothing was written")?;
        return Ok(Exit::Findings);
    };
    if context.output.is_json() {
        context.output.json(done)?;
        return Ok(Exit::Fine);
    }
    let parts = [
        counted(done.core, "key"),
        counted(done.events, "event"),
        counted(done.records, "record"),
        format!("{} summaries", done.summaries),
    ];
    let (file, parts) = (shown(&args.file), parts.join(", "));
    context.output.line(format_args!("Wrote {file}: {} branches, {parts}", done.branches))?;
    if done.deletions_left_out > 0 {
        let keys = counted(done.deletions_left_out, "deleted key");
        let which = named(&done.deleted_keys, done.deletions_left_out);
        context.output.note(format_args!(
            "{keys} could not be said there, and what they hide is seen again: {which}"
        ));
    }
    if done.expired > 0 {
        let keys = counted(done.expired, "expired value");
        let which = named(&done.expired_keys, done.expired);
        context.output.note(format_args!(
            "{keys} could not be said to be over there, and are valid again: {which}"
        ));
    }
    Ok(Exit::Fine)
}

/// The keys by their branches: `threads on b1, plan on b2, … 3 more`.
fn named(keys: &[GoneKey], count: u64) -> String {
    let mut names: Vec<String> =
        keys.iter().map(|it| format!("{} on {}", it.key, it.branch)).collect();
    let more = count.saturating_sub(keys.len() as u64);
    if more > 0 {
        names.push(format!("… {more} more"));
    }
    escape::line(&names.join(", ")).into_owned()
}
