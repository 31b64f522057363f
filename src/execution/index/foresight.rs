//! What the index takes of what was found ahead of it.

use super::Index;
use crate::event::Sequence;
use crate::execution::closed::Closed;
use crate::execution::foresight::{self, Called};
use crate::execution::judged::Judged;
use crate::parse::check::cause::Cause;
use crate::parse::check::coverage::Site;

impl Index {
    pub(super) fn called(&self, at: Sequence, arguments: &str) -> Called {
        let found = foresight::called(self.foreseen.as_ref(), at);
        found.cloned().unwrap_or_else(|| Called::of(arguments, &self.own_checks))
    }

    /// What a closed execution came to, and what it failed for.
    pub(super) fn judged(
        &self,
        at: Sequence,
        closed: Closed<'_>,
        command: Option<&str>,
        cwd: Option<&str>,
    ) -> (Judged, Vec<Cause>) {
        let found = foresight::ended(self.foreseen.as_ref(), at);
        if let Some(found) = found.filter(|it| it.command() == command && it.cwd() == cwd) {
            return (found.judged.clone(), found.causes.clone());
        }
        let judged = closed.judged(command, Site { root: &self.root, cwd }, &self.own_checks);
        let causes = judged.causes();
        (judged, causes)
    }
}
