//! `annals fetch`: brings archived segments back.

use std::path::PathBuf;

use super::archive::{Done, print};
use super::{Context, Exit, Result};
use crate::journal::archive::{FetchOptions, fetch};

/// Bring archived segments back into the journal's folder
///
/// Each is held against its manifest before it has its name again, as it was and read-only. The archive keeps what it
/// has.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Segments, by number [default: all that are in an archive]
    #[arg(value_name = "SEGMENT")]
    pub segments: Vec<u64>,
    /// Where the archive is now, if it is not where it was
    #[arg(long, value_name = "DIR|URL")]
    pub from: Option<PathBuf>,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    let project = context.project()?;
    let options = FetchOptions { segments: &args.segments, from: args.from.as_deref() };
    let fetched = fetch(&project, options)?;
    let event = fetched.event.map(|it| it.0);
    if context.output.as_json(&Done::of(None, event, &fetched.segments))? {
        return Ok(Exit::Fine);
    }
    let Some(event) = event else {
        context.output.line("No segment of this journal is in an archive.")?;
        return Ok(Exit::Fine);
    };
    print(&fetched.segments, context)?;
    Ok(context.output.line(format_args!("back here, as @{event} says")).map(|()| Exit::Fine)?)
}
