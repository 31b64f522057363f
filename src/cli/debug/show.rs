//! `annals debug show`: one session.

use super::{print, work};
use crate::cli::memory::print::journal;
use crate::cli::{CliError, Context, Exit};
use crate::output::wire;

/// One debug session: its attempts, what was thought to be wrong, what was changed, what was learnt
///
/// As JSON it is the contract's document.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
    /// Show stack traces and diffs, too
    #[arg(long)]
    full: bool,
}

pub fn run(args: Args, context: &mut Context) -> Result<Exit, CliError> {
    let found = crate::cli::debug::session(&args.session, context, |one, session| {
        let shown =
            |document| wire::DebugShown { journal: one.journal.map(str::to_owned), document };
        let patterns = one.view.patterns(session)?;
        let shown = one.view.document(session)?.map(shown);
        Ok(shown.into_iter().map(|it| (it, patterns.clone())).collect())
    })?;
    if context.output.is_json() {
        let found: Vec<_> = found.into_iter().map(|(it, _)| it).collect();
        match found.as_slice() {
            [one] => context.output.json(one)?,
            several => context.output.json_list(several)?,
        }
        return Ok(Exit::Fine);
    }
    for (it, patterns) in &found {
        journal(it.journal.as_deref(), context)?;
        print::document(&it.document, patterns, args.full, context)?;
    }
    Ok(Exit::Fine)
}
