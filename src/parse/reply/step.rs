//! One step of the download phase (spec 003, "Iterative Mode").

use serde_json::Value;

use super::ReplyError;
use super::answer::answer;
use super::field::Field;

/// What a model says to do next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phase1Step {
    /// Empty only where it is done.
    pub command: String,
    pub done: bool,
    pub notes: String,
}

const WANTS: &str = "`command` and `done`";

/// Reads `{"command", "done", "notes"}` from a reply without its `<memory_update>`.
pub fn parse_phase1_iterative_response(rest: &str) -> Result<Phase1Step, ReplyError> {
    let is_step = |value: &Value| value.get("command").is_some() || value.get("done").is_some();
    let value = answer(rest, WANTS, is_step)?;
    let field = |name: &str| value.get(name).filter(|value| !value.is_null());
    let text = |name: &str| match field(name) {
        None => Ok(String::new()),
        Some(value) => Field::new(name, value).text(),
    };
    let done = match field("done") {
        None => false,
        Some(Value::Bool(done)) => *done,
        Some(value) => return Err(Field::new("done", value).wrong("true or false")),
    };
    let command = text("command")?.trim().to_owned();
    if command.is_empty() && !done {
        let (at, wants) = ("command".to_owned(), "a shell command, unless `done` is true");
        return Err(ReplyError::MissingField { at, wants });
    }
    Ok(Phase1Step { command, done, notes: text("notes")? })
}
