//! `annals memory import`, `export`: from and to a file of the reference implementation.

use std::path::PathBuf;

use super::{Done, look, settled};
use crate::cli::{CliError, Context, Exit, Result, counted, shown, written};
use crate::memory::query::GoneKey;
use crate::memory::{Memory, export_memory};
use crate::output::escape;

/// Import a memory.sqlite of the reference implementation, times kept
///
/// Branches, keys, events, records and summaries; what was imported before is left alone.
#[derive(clap::Args, Debug)]
pub struct Import {
    /// The file
    file: PathBuf,
}

impl Import {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        let project = context.project()?;
        let done = {
            let mut memory = Memory::open(&project)?;
            let done = memory.import(context.named_session(), &self.file)?;
            Done { done, sequence: memory.appended().map(|appended| appended.last) }
        };
        settled(&project, context)?;
        let it = &done.done;
        let branches = match it.branches {
            1 => "1 branch".to_owned(),
            count => format!("{count} branches"),
        };
        let parts = parts(it.core, it.events, it.records, it.summaries);
        let mut sentence = format!("Imported {branches}: {parts}");
        if it.known > 0 {
            sentence += &format!("; {} were here already", it.known);
        }
        if it.renumbered > 0 {
            sentence += &format!("; {} have another number here", it.renumbered);
        }
        done.tell(&sentence, context)
    }
}

fn parts(core: u64, events: u64, records: u64, summaries: u64) -> String {
    let (core, events) = (counted(core, "key"), counted(events, "event"));
    format!("{core}, {events}, {}, {summaries} summaries", counted(records, "record"))
}

/// Export a memory.sqlite that the reference implementation opens
#[derive(clap::Args, Debug)]
pub struct Export {
    /// The new file
    file: PathBuf,
}

impl Export {
    pub fn run(self, context: &mut Context) -> Result<Exit> {
        if !context.others.is_empty() {
            return Err(CliError::Refused { what: "one memory is exported: give one --dir" });
        }
        let found = look::each(context, |one| Ok(export_memory(&one.view, &self.file)?))?;
        let Some(done) = found.first() else {
            context.output.line("Nothing is remembered yet: nothing was written")?;
            return Ok(Exit::Findings);
        };
        written::remember(&context.sources()?, "copy of memory", &self.file, context);
        if context.output.as_json_of_journals(&found)? {
            return Ok(Exit::Fine);
        }
        let (it, gone) = (&done.written, &done.unsaid);
        let (file, parts) =
            (shown(&self.file), parts(it.core, it.events, it.records, it.summaries));
        context.output.line(format_args!("Wrote {file}: {} branches, {parts}", it.branches))?;
        if gone.deleted > 0 {
            let keys = counted(gone.deleted, "deleted key");
            let which = named(&gone.deleted_keys, gone.deleted);
            context.output.note(format_args!(
                "{keys} could not be said there, and what they hide is seen again: {which}"
            ));
        }
        if gone.expired > 0 {
            let keys = counted(gone.expired, "expired value");
            let which = named(&gone.expired_keys, gone.expired);
            context.output.note(format_args!(
                "{keys} could not be said to be over there, and are valid again: {which}"
            ));
        }
        Ok(Exit::Fine)
    }
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
