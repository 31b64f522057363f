//! How often others were faster, and that they cannot be for ever.

use super::RecordError;
use crate::journal::{Hold, Project};

/// Rounds in which others may append first. Each costs a read of what they appended.
const ROUNDS_MAX: u32 = 8;

/// How often somebody appended between a look at the journal's end and the append that was decided by
/// it. After a few times the journal is held, so that the next one is the last, however many others
/// there are and however fast.
pub struct Rounds<'p> {
    project: &'p Project,
    overtaken: u32,
    hold: Option<Hold>,
}

impl<'p> Rounds<'p> {
    pub fn of(project: &'p Project) -> Self {
        Self { project, overtaken: 0, hold: None }
    }

    /// One more, before the journal is read on: nobody else appends then where it was held.
    pub fn another(&mut self) -> Result<(), RecordError> {
        self.overtaken += 1;
        if self.overtaken >= ROUNDS_MAX && self.hold.is_none() {
            self.hold = Some(self.project.journal()?.hold()?);
        }
        Ok(())
    }
}
