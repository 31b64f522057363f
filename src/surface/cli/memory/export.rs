//! `annals memory export`: memory as a file of the reference implementation.

use std::path::PathBuf;

use super::look;
use crate::command::memory::export_memory;
use crate::surface::cli::{CliError, Context, Exit, counted, shown};
use crate::surface::wire::memory::Exported;

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
        context.output.note(format_args!("{keys} could not be said there: it inherits them again"));
    }
    Ok(Exit::Fine)
}
