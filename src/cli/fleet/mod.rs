//! `annals fleet`: what many machines sent to a folder or bucket.

mod look;
mod status;

use std::path::Path;

use super::command::verbs;
use super::{CliError, Context, Exit, Result, shown};
use crate::fleet::{Standing, status as ask};
use crate::journal::archive::reach;
use crate::output::escape::with_causes;

/// What many machines sent to a folder or bucket: how each stands, verified, brought back
///
/// Nothing is written there. A project is not needed.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    verb: Verb,
}

/// A name that was mistyped passes for no fleet that is fine.
const NOTHING_THERE: CliError = CliError::Refused {
    what: "no journal was sent there: `annals ship --to` sends one; of a fleet name what its machines send to",
};

verbs! {
    enum Verb {
        /// How each machine's journals stand: last event, root, how long ago, what does not fit
        ///
        /// Two histories of one journal (a copied disk) are named. With `--late` a machine that sent nothing for longer is a
        /// finding. The exit code is 1 where there is one, or something could not be read, 3 where a journal is damaged.
        Status(status::Args) => status::run,
        /// Verify the segments that were sent, where they lie
        ///
        /// Each segment against its manifest, the chain over all of them, the root over all records, the checkpoint. They are
        /// read into a temporary folder, a journal at a time. `--part 3/16` takes every sixteenth journal, the third first, so that
        /// many workers share the work. The exit code is 3 where one does not hold.
        Verify(look::Verify) => look::verify,
        /// Bring the segments that were sent of a journal into a new folder, to be read like any copy
        Pull(look::Pull) => look::pull,
    }
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit> {
    context.must_be_now()?;
    reach();
    args.verb.run(context)
}

/// The journals there; what could not be read is told.
fn standing(from: &Path, context: &mut Context) -> Result<(Vec<Standing>, Exit)> {
    let (all, unread) = ask(from)?;
    for it in &unread {
        let path = shown(&it.path);
        context.output.note(format_args!("{path}: left out: {}", with_causes(&it.error)));
    }
    Ok((all, if unread.is_empty() { Exit::Fine } else { Exit::Findings }))
}
