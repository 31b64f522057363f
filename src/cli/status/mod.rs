//! `annals status`: how the journal and the stores stand, and what to run next.

mod agents;
mod gather;
mod looked;
mod print;
mod repos;
mod unseen;

use super::{CliError, Context, Exit, damage, feed};
use crate::journal::Reading;
use crate::store::look::Depth;

/// How the journal and the stores stand, and what to run next
///
/// Of each agent: whether its hooks are installed and when one last fired, how many calls of its
/// transcripts are on record, what the gate denied, and what ran although it was denied.
///
/// Of a copy: whether the stores that lie in it hold what its journal says. The exit code is 1 where
/// a store lags or was found broken, something is wrong or a loss is recorded, 3 where the journal is damaged: every byte
/// that changed since it was last looked at is read, and a store that another program changed is held
/// against the journal.
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
        let mut look = damage::look_whole(source, context);
        let (mut status, found) = match source.reading(context.evidence) {
            Reading::Live if context.at.is_none() => {
                feed::settle_doubts(source, Depth::Whole, context);
                feed::catch_up_source(source, context)?;
                // That opens the journal, which may have mended it.
                look.is_mendable = look.is_mendable && damage::is_mendable(source, context);
                gather::live(source, &args, &look, context)?
            }
            _ => {
                let opened = feed::open(source, several, context);
                gather::built(source, opened, &args, &look, context)?
            }
        };
        let root = source.root.as_deref().unwrap_or(&source.given);
        let was_broken = context.contradiction.was_broken(root);
        status.fine &= !was_broken;
        exit = exit.worse(found).worse(if was_broken { Exit::Findings } else { Exit::Fine });
        status.next = status.next.replacen("annals verify", &damage::verifying(source, context), 1);
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
