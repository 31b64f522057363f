//! What a call changed, and what that does to what was known before it.

use super::{Grounding, GroundingEntry, LeftCheck, Moment, OpenCall, PendingFailure, paths};
use crate::event::tool;
use crate::execution::closed::Closed;
use crate::parse::check::{Shown, Unproven, kinds_in};

impl Grounding {
    /// What went well may have changed files, also where a check behind it failed.
    pub(super) fn change(&mut self, entry: &GroundingEntry, about: &OpenCall, closed: &Closed<'_>) {
        let changed = closed.closing.map(|it| it.changed.as_slice()).unwrap_or_default();
        if !about.mutation && changed.is_empty() {
            return;
        }
        let mut files = paths(changed.iter().map(|change| &change.path));
        if files.is_empty() {
            let told = closed.closing.map(|it| it.paths.as_slice()).unwrap_or_default();
            files = if about.paths.is_empty() { paths(told.iter()) } else { about.paths.clone() };
        }
        if files.is_empty() && tool::is_mutation(&entry.tool) {
            files.extend(about.target.clone());
        }
        self.step.mutations = self.step.mutations.saturating_add(1);
        self.supersede(entry.moment);
        files.iter().for_each(|file| self.step.change(file));
        self.step.changed_more = self
            .step
            .changed_more
            .saturating_add((changed.len() as u64).saturating_sub(files.len() as u64));
        for pending in &mut self.pending {
            pending.edits = pending.edits.saturating_add(1);
            for file in &files {
                if pending.edited.len() < PendingFailure::EDITED_MAX
                    && !pending.edited.contains(file)
                {
                    pending.edited.push(file.clone());
                }
            }
        }
    }

    /// Takes how a check ended: what an earlier one of its kinds showed counts no more where this one does not
    /// show it.
    pub(super) fn doubt(&mut self, about: &OpenCall, verdict: Option<Result<(), Unproven>>) {
        let kinds = || kinds_in(about.command.as_deref().unwrap_or_default(), &self.own);
        match verdict {
            Some(Ok(())) => self.unclear &= !kinds(),
            Some(Err(Unproven::Failed | Unproven::Unknown)) => self.unclear |= kinds(),
            // It has nothing to say of what others showed.
            Some(Err(Unproven::RanNothing)) | None => {}
        }
    }

    /// Whether files were changed since a check began. Of calls that a transcript tells of only those in the background
    /// are known to have gone on while others did: all that one message asks for begin at its time there.
    pub(super) fn is_overtaken(&self, about: &OpenCall) -> bool {
        let reads = |it: &&LeftCheck| Some(&it.command) == about.command.as_ref();
        let left = self.left.iter().rev().filter(|_| about.tool != "bash_exec").find(reads);
        let began = left.map(|it| it.started).or(about.is_hooked.then_some(about.started));
        let changed = self.last_mutation.map(|it| it.sequence);
        began.is_some_and(|began| changed.is_some_and(|at| at > began.sequence))
    }

    /// Files are others than those that were checked, and what failed before is another call now.
    pub(super) fn supersede(&mut self, moment: Moment) {
        self.mutations_since_check = self.mutations_since_check.saturating_add(1);
        self.last_mutation = Some(moment);
        (self.shown, self.unclear) = (Shown::default(), 0);
        self.failed_calls.clear();
    }
}
