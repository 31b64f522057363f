//! An operation on memory that is recorded.

use serde::Serialize;

use super::origin::OriginArgs;
use crate::cli::{CliError, Context, feed, run as runs};
use crate::memory::{Memory, MemoryError, Operation};

/// What an operation came to, and its last event; `null` where nothing was recorded.
#[derive(Serialize)]
pub struct Done<T> {
    #[serde(flatten)]
    pub done: T,
    pub sequence: Option<u64>,
}

/// Carries an operation out: one durable commit. The stores are caught up afterwards.
///
/// # Errors
/// The operation's own; nothing was recorded then.
pub fn operate<T>(
    origin: &OriginArgs,
    context: &mut Context,
    operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Done<T>, CliError> {
    operate_judged(None, origin, context, operation)
}

/// As [`operate`]; before it, the settings' model judges what a branch's keys are worth, for a task.
///
/// # Errors
/// As [`operate`].
pub fn operate_judged<T>(
    judged: Option<(&str, Option<&str>)>,
    origin: &OriginArgs,
    context: &mut Context,
    operation: impl FnOnce(&mut Operation<'_>) -> Result<T, MemoryError>,
) -> Result<Done<T>, CliError> {
    let project = context.project()?;
    // What it is decided by may have been rewritten.
    feed::settle_project(&project, context);
    let done = {
        let mut memory = Memory::open(&project)?;
        if let Some((branch, task)) = judged {
            memory.judge(branch, task)?;
        }
        let done = memory.operate(&origin.asker(context), operation)?;
        Done { done, sequence: memory.appended().map(|appended| appended.last.0) }
    };
    project.journal()?.sync()?;
    feed::catch_up(&project, context);
    if context.session.is_some() {
        runs::introduce(&project, context);
    }
    Ok(done)
}

impl<T> Done<T> {
    /// The same of what it came to.
    pub fn map<U>(self, told: impl FnOnce(T) -> U) -> Done<U> {
        Done { done: told(self.done), sequence: self.sequence }
    }
}

/// Prints what a write came to: a document, or a sentence and its event.
///
/// # Errors
/// Where the output cannot be written.
pub fn tell<T: Serialize>(
    done: &Done<T>,
    sentence: &str,
    context: &mut Context,
) -> Result<(), CliError> {
    if context.output.is_json() {
        return Ok(context.output.json(done)?);
    }
    let at = done.sequence.map(|at| format!(" (@{at})")).unwrap_or_default();
    let text = format!("{sentence}{at}");
    Ok(context.output.line(crate::output::escape::line(&text))?)
}
