//! Bare `annals`: what is here, and the one next command.

use super::{CliError, Context, Exit, feed, shown};
use crate::command::ProjectError;

pub fn run(context: &mut Context) -> Result<Exit, CliError> {
    let project = match context.project() {
        Ok(project) => project,
        Err(CliError::Project(ProjectError::NotFound { .. })) => {
            let here = shown(&context.start);
            context.output.line(format_args!("{here} is no project of annals yet."))?;
            context.output.line("Next: annals init (or annals tour, to see it work)")?;
            return Ok(Exit::Fine);
        }
        Err(error) => return Err(error),
    };
    feed::catch_up(&project, context);
    let counts = feed::stores(&project)?.counts()?;
    let root = shown(project.root());
    let (calls, sessions, failed) = (counts.calls, counts.sessions, counts.failed);
    context.output.line(format_args!(
        "{root}: {calls} calls in {sessions} sessions, {failed} of them failed"
    ))?;
    let next = match (calls, counts.open) {
        (0, _) => "annals run -- COMMAND, or annals import auto for past sessions",
        (_, 0) => "annals log",
        (_, _) => "annals status",
    };
    context.output.line(format_args!("Next: {next}"))?;
    Ok(Exit::Fine)
}
