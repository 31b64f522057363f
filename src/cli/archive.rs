//! `annals archive`: moves old segments out of the journal's folder.

use std::path::PathBuf;

use serde::Serialize;

use super::command::Duty;
use super::{Command, Context, Exit, Result, catch_up, counted, shown};
use crate::journal::archive::{Moved, archive, reach};
use crate::journal::clock;
use crate::output::time;

/// Move old segments of the journal to an archive
///
/// Those whose last record is from before a time, and that another segment follows (`annals seal` ends the newest),
/// are compressed into a folder, or a bucket of an object store (s3://BUCKET/PREFIX, in a build with `object-store`), with a manifest each, and the tiles of the tree over all records: flushed, read back,
/// held against what they were; then an event says so, and only then they are taken away here. Everything reads on from
/// the archive as long as it is there: questions, rebuild, verify. `annals fetch` brings them back.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Only segments whose last record is older: an age (30d), a date or an RFC 3339 time
    #[arg(long, value_name = "TIME")]
    pub before: String,
    /// The archive's folder, made where it is missing, or its address; good for several journals
    #[arg(long, value_name = "DIR|URL")]
    pub to: PathBuf,
}

#[derive(Serialize)]
pub(super) struct Done {
    /// The journal's own folder in the archive.
    folder: Option<String>,
    /// The event that says so; `null` where nothing was moved.
    sequence: Option<u64>,
    segments: Vec<Segment>,
}

#[derive(Serialize)]
struct Segment {
    segment: u64,
    /// The lowest that an event in it may have.
    first_sequence: u64,
    /// The last event up to its end.
    last_sequence: u64,
    /// As it was, and as it lies in the archive.
    bytes: u64,
    stored_bytes: u64,
}

impl Done {
    pub(super) fn of(folder: Option<String>, sequence: Option<u64>, moved: &[Moved]) -> Self {
        let segment = |it: &Moved| Segment {
            segment: it.segment,
            first_sequence: it.first,
            last_sequence: it.last,
            bytes: it.bytes,
            stored_bytes: it.stored_bytes,
        };
        Self { folder, sequence, segments: moved.iter().map(segment).collect() }
    }
}

/// Lets a command read what lies in an object store, where it asks or moves: not one that records, nor for evidence.
/// Whom a stranger's journal names is not asked either.
pub(super) fn begin(command: &Command, context: &Context) {
    let asks = match command {
        Command::Archive(_) | Command::Fetch(_) | Command::Prove(_) | Command::Replay(_) => true,
        Command::Redact(_) | Command::Tui(_) => true,
        Command::Verify(args) => args.paths.is_empty(),
        command => command.duty() == Duty::Answer,
    };
    // A build that reaches none only says so.
    let believed = || {
        cfg!(not(feature = "object-store")) || (context.others.is_empty() && context.is_believed())
    };
    if asks && !context.evidence && believed() {
        reach();
    }
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let before_ms = time::parse(&args.before, clock::now_ms(), &context.zone)?;
    let project = context.project()?;
    // Stores that have everything answer also where the archive is away.
    catch_up::catch_up_to_ask(&project, context);
    let archived = archive(&project, before_ms, &args.to)?;
    let event = archived.event.map(|it| it.0);
    let folder = event.is_some().then(|| archived.folder.to_string_lossy().into_owned());
    if context.output.as_json(&Done::of(folder, event, &archived.segments))? {
        return Ok(Exit::Fine);
    }
    let Some(event) = event else {
        let what = "No segment here that another follows is that old: nothing is moved.\n\
                    Next: annals seal ends the newest one";
        context.output.line(what)?;
        return Ok(Exit::Fine);
    };
    print(&archived.segments, context)?;
    let folder = shown(&archived.folder);
    context.output.line(format_args!("in {folder}, as @{event} says; they are read from there"))?;
    Ok(context.output.line("Next: annals verify").map(|()| Exit::Fine)?)
}

pub(super) fn print(moved: &[Moved], context: &mut Context) -> Result<()> {
    for it in moved {
        let (bytes, stored) = (time::bytes(it.bytes), time::bytes(it.stored_bytes));
        let Moved { segment, last, .. } = it;
        context
            .output
            .line(format_args!("segment {segment}, up to @{last}: {bytes}, {stored} there"))?;
    }
    let count = counted(moved.len() as u64, "segment");
    Ok(context.output.line(count)?)
}
