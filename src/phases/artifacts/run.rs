//! The run phase of a plan.

use super::PlannedCommand;
use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// `run`: `{commands, expected_outputs, notes}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunPlan {
    pub commands: Vec<PlannedCommand>,
    /// Files that must be there afterwards.
    pub expected_outputs: Vec<String>,
    pub notes: String,
}

impl RunPlan {
    pub(super) fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let missing = |at: String| ReplyError::MissingField { at, wants: "a list of commands" };
        let Some(section) = section else {
            return Err(missing("phase_artifacts.run".to_owned()));
        };
        section.object("an object with `commands` and `expected_outputs`")?;
        let commands = PlannedCommand::list(section)?;
        if commands.is_empty() {
            return Err(match section.member("commands") {
                None => missing(format!("{}.commands", section.at)),
                Some(list) => list.invalid("is empty: give at least one command"),
            });
        }
        let expected_outputs = match section.member("expected_outputs") {
            None => Vec::new(),
            Some(outputs) => outputs.texts()?,
        };
        let notes = section.member("notes").map(|notes| notes.text()).transpose()?;
        Ok(Self { commands, expected_outputs, notes: notes.unwrap_or_default() })
    }
}
