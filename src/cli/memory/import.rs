//! `annals memory import`: another program's memory as events.

use std::path::PathBuf;

use super::Done;
use crate::cli::{CliError, Context, Exit, catch_up, counted, run as runs};
use crate::memory::Memory;
use crate::output::wire::memory::Imported;

/// Move a memory.sqlite of the reference implementation here, as events of the times they happened
///
/// Branches, keys, events, records and summaries; what was imported before is left alone.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let project = context.project()?;
    let session = context.session.as_ref().map(|_| context.session_id());
    let done = {
        let mut memory = Memory::open(&project)?;
        let done = Imported::of(&memory.import(session, &args.file)?);
        let sequence = memory.appended().map(|appended| appended.last.0);
        Done { done, sequence }
    };
    catch_up::catch_up(&project, context);
    if context.session.is_some() {
        runs::introduce(&project, context);
    }
    let it = &done.done;
    let parts = [
        counted(it.core, "key"),
        counted(it.events, "event"),
        counted(it.records, "record"),
        format!("{} summaries", it.summaries),
    ];
    let branches = if it.branches == 1 { "1 branch" } else { &format!("{} branches", it.branches) };
    let mut sentence = format!("Imported {branches}: {}", parts.join(", "));
    if it.known > 0 {
        sentence += &format!("; {} were here already", it.known);
    }
    if it.renumbered > 0 {
        sentence += &format!("; {} have another number here", it.renumbered);
    }
    crate::cli::memory::tell(&done, &sentence, context)?;
    Ok(Exit::Fine)
}
