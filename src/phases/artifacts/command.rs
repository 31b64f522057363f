//! A command that a model wants run.

use serde_json::Value;

use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;
use crate::phases::limits::{COMMAND_BYTES_MAX, COMMANDS_MAX, WORDS_MAX};

/// A command that a model wants run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlannedCommand {
    /// For the shell.
    Line(String),
    /// A program and its arguments, as they are.
    Words(Vec<String>),
}

impl PlannedCommand {
    fn read(field: &Field<'_>) -> Result<Self, ReplyError> {
        let command = match field.value {
            Value::String(_) => Self::Line(field.text()?),
            Value::Array(words) if words.len() <= WORDS_MAX => {
                let words = field.elements()?;
                Self::Words(words.iter().map(Field::scalar).collect::<Result<_, _>>()?)
            }
            Value::Array(words) => {
                let (at, count) = (field.at.clone(), words.len());
                return Err(ReplyError::TooMany { at, count, of: "words", max: WORDS_MAX });
            }
            _ => {
                return Err(
                    field.wrong("a shell command, or a list of a program and its arguments")
                );
            }
        };
        let bytes = command.shown().len();
        match bytes {
            _ if command.shown().trim().is_empty() => Err(field.invalid("is empty")),
            _ if bytes > COMMAND_BYTES_MAX => {
                Err(field
                    .invalid(format!("has {bytes} bytes; at most {COMMAND_BYTES_MAX} are run")))
            }
            _ => Ok(command),
        }
    }

    /// The commands of a section; none where there is no such member.
    pub(super) fn list(section: &Field<'_>) -> Result<Vec<Self>, ReplyError> {
        let Some(field) = section.member("commands") else { return Ok(Vec::new()) };
        let Some(list) = field.value.as_array() else {
            return Ok(vec![Self::read(&field)?]);
        };
        if list.len() > COMMANDS_MAX {
            let (at, count) = (field.at.clone(), list.len());
            return Err(ReplyError::TooMany { at, count, of: "commands", max: COMMANDS_MAX });
        }
        field.elements()?.iter().map(Self::read).collect()
    }

    /// As a person reads it.
    pub fn shown(&self) -> String {
        match self {
            Self::Line(line) => line.clone(),
            Self::Words(words) => {
                words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A word that a shell would read as itself.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}
