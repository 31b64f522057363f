//! The download phase of a plan.

use super::PlannedCommand;
use crate::parse::reply::ReplyError;
use crate::parse::reply::field::Field;

/// `download`: `{commands, notes}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DownloadPlan {
    pub commands: Vec<PlannedCommand>,
    pub notes: String,
}

impl DownloadPlan {
    pub(super) fn read(section: Option<&Field<'_>>) -> Result<Self, ReplyError> {
        let Some(section) = section else { return Ok(Self::default()) };
        section.object("an object with `commands` and `notes`")?;
        let notes = section.member("notes").map(|notes| notes.text()).transpose()?;
        let commands = PlannedCommand::list(section)?;
        Ok(Self { commands, notes: notes.unwrap_or_default() })
    }
}
