//! What was redacted once, as a project asks for it.

use super::Project;
use crate::event::Event;
use crate::journal::withheld::Withheld;

impl Project {
    /// What was redacted and must not come back; `None` where that is nothing, or cannot be read, which
    /// recording does not wait for: `status` tells of it.
    pub(super) fn withheld(&self) -> Option<&Withheld> {
        let read = || Withheld::of_user().unwrap_or_default();
        self.withheld.get_or_init(read).as_ref()
    }

    /// Whether an event was redacted before and must not come back.
    pub fn is_withheld(&self, event: &Event) -> bool {
        // What cannot be appended to does not take it back either.
        let journal = || Some(self.journal().ok()?.id());
        self.withheld().is_some_and(|withheld| withheld.holds(event, journal))
    }
}
