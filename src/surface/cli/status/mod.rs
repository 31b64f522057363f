//! `annals status`: how the journal and the stores stand, and what to run next.

mod agents;
mod gather;
mod print;
mod repos;

use super::{CliError, Context, Exit, damage, feed};
use crate::command::Reading;

/// How the journal and the stores stand, and what to run next
///
/// Of each agent: whether its hooks are installed and when one last fired, how many calls of its
/// transcripts are on record, what the gate denied, and what ran although it was denied.
///
/// Of a copy: whether the stores that lie in it hold what its journal says. The exit code is 1 where
/// a store lags, something is wrong or a loss is recorded, 3 where the journal is damaged: every byte
/// that changed since it was last looked at is read.
#[derive(clap::Args, Debug, Default)]
pub struct Args {
    /// Digest the stores' content too: equal digests, equal content
    #[arg(long)]
    pub digest: bool,
    /// Hold every transcript of an agent against the journal, not only the newest ones
    #[arg(long)]
    pub coverage: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let sources = context.sources()?;
    let several = sources.len() > 1;
    let (mut list, mut exit) = (Vec::new(), Exit::Fine);
    for (source, name) in sources.iter().zip(feed::names(&sources)) {
        let look = damage::look_whole(source, context);
        let (mut status, found) = match source.reading(context.evidence) {
            Reading::Live if context.at.is_none() => {
                feed::catch_up_source(source, context)?;
                gather::live(source, &args, &look, context)?
            }
            _ => {
                let opened = feed::open(source, several, context);
                gather::built(source, opened, &args, &look, context)?
            }
        };
        exit = exit.worse(found);
        status.name = several.then_some(name);
        list.push(status);
    }
    match list.as_slice() {
        [status] if context.output.is_json() => context.output.json(status)?,
        list if context.output.is_json() => context.output.json_list(list)?,
        list => {
            for (at, status) in list.iter().enumerate() {
                if at > 0 {
                    context.output.blank()?;
                }
                print::status(status, &mut context.output)?;
            }
        }
    }
    Ok(exit)
}
