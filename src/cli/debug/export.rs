//! `annals debug export`: a session with everything that it rests on.

use super::work;
use crate::cli::{CliError, Context, Exit};

/// Print a debug session with everything that it rests on, to be read without this journal
///
/// Its document, the recorded executions of its attempts with what they printed, and where the events are:
/// the journal's id, its chain, the session's sequences. It is of a project as it stands now: it takes no
/// --at, no --evidence, and one --dir.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The debug session: its id, the beginning of it, or `last`
    #[arg(value_name = "SESSION", default_value = work::LAST)]
    session: String,
}

pub fn run(args: &Args, context: &mut Context) -> Result<Exit, CliError> {
    if context.evidence || context.at.is_some() || !context.others.is_empty() {
        let what = "an export holds the journal's own end, and is made of one project as it stands \
                    now: leave --evidence, --at and further --dir out; `annals debug show` takes them";
        return Err(CliError::Refused { what });
    }
    let export = work::on(&args.session, context, |writer, session| writer.export(session))?;
    context.output.json(&export)?;
    Ok(Exit::Fine)
}
