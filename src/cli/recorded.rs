//! What follows an operation that was recorded, and how it is told.

use serde::Serialize;

use super::checkpoint::by_itself;
use super::{Context, Exit, Result, catch_up, damage, run as runs};
use crate::debug::infer;
use crate::event::Sequence;
use crate::journal::{Project, Source};
use crate::output::escape;
use crate::output::escape::with_causes;

/// It is durable, the stores have it, and the journal knows whose session it was.
pub fn settled(project: &Project, context: &mut Context) -> Result<()> {
    project.journal()?.sync()?;
    catch_up::catch_up(project, context);
    if context.session.is_some() {
        runs::introduce(project, context);
    }
    by_itself::follow(project, context);
    Ok(())
}

/// What was imported is looked through for what was repaired in it.
pub fn inferred(project: &Project, context: &mut Context) {
    if let Err(error) = infer::infer(project, None, false) {
        let why = with_causes(&error);
        context
            .output
            .note(format_args!("nothing was inferred: {why} (annals debug infer tries again)"));
    }
}

/// Prints what an operation came to: a document, or a sentence and its event.
pub fn tell(
    done: &impl Serialize,
    sentence: &str,
    at: Option<Sequence>,
    context: &mut Context,
) -> Result<Exit> {
    if context.output.as_json(done)? {
        return Ok(Exit::Fine);
    }
    let at = at.map(|at| format!(" ({at})")).unwrap_or_default();
    context.output.line(escape::line(&format!("{sentence}{at}")))?;
    Ok(Exit::Fine)
}

/// Tells of losses that recording met and put on record: from then on they are no damage, and a look says nothing of them.
pub fn losses(project: &Project, context: &mut Context) {
    let losses = project.take_losses();
    let Some(first) = losses.first() else { return };
    let more = match losses.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let first = first.to_string();
    let first = escape::line(&first);
    let next = Source::of(project.root()).map(|it| damage::verifying(&it, context));
    let next = next.unwrap_or_else(|_| "annals verify".to_owned()); // told by who reads it
    context.output.note(format_args!(
        "the journal had lost something, which is on record now: {first}{more}. Next: {next}"
    ));
}
