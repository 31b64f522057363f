//! Bare `annals`: what is here, and the one next command.

use super::{CliError, Context, Exit, feed, shown};
use crate::command::ProjectError;

pub fn run(context: &mut Context) -> Result<Exit, CliError> {
    let sources = match context.sources() {
        Ok(sources) => sources,
        Err(CliError::Project(ProjectError::NotFound { .. }) | CliError::Source(_)) => {
            let here = shown(&context.start);
            context.output.line(format_args!("{here} is no project of annals yet."))?;
            context.output.line("Next: annals init (or annals tour, to see it work)")?;
            return Ok(Exit::Fine);
        }
        Err(error) => return Err(error),
    };
    let (mut all, mut open) = (0, 0);
    for (source, opened) in sources.iter().zip(feed::open_all(context)?) {
        let counts = opened.stores.counts()?;
        let root = shown(source.root.as_deref().unwrap_or(&source.given));
        let (calls, sessions, failed) = (counts.calls, counts.sessions, counts.failed);
        context.output.line(format_args!(
            "{root}: {calls} calls in {sessions} sessions, {failed} of them failed"
        ))?;
        (all, open) = (all + calls, open + counts.open);
    }
    let next = match (all, open) {
        (0, _) => "annals run -- COMMAND, or annals import auto for past sessions",
        (_, 0) => "annals log",
        (_, _) => "annals status",
    };
    context.output.line(format_args!("Next: {next}"))?;
    Ok(Exit::Fine)
}
