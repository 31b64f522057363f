//! Unreadable lines: a damaged file has a few, and what is no transcript has nothing else.

use super::Ledger;
use crate::agents::import::limits::FLAWS_MAX;
use crate::event::{Event, TranscriptFlaw};

/// The unreadable lines of one file.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flaws {
    count: u64,
    /// The first one that is not recorded by itself.
    beyond: u64,
}

impl Ledger {
    /// What is recorded of an unreadable line: nothing once a file had too many of them.
    pub(super) fn unreadable(&mut self, line: u64, detail: String) -> Option<Event> {
        let flaws = match self.flaws.get_mut(&self.file) {
            Some(flaws) => flaws,
            None => self.flaws.entry(self.file.clone()).or_default(),
        };
        flaws.count += 1;
        if flaws.count > FLAWS_MAX {
            if flaws.count == FLAWS_MAX + 1 {
                flaws.beyond = line;
            }
            self.report.find(&self.file, line, TranscriptFlaw::Unreadable.as_str(), detail);
            return None;
        }
        let (at_ms, session) = self.here();
        Some(self.flawed(session, at_ms, line, TranscriptFlaw::Unreadable, detail))
    }

    /// The files are read: says of each how many unreadable lines are not recorded by themselves.
    pub fn count_flaws(&mut self, out: &mut Vec<Event>) {
        for (file, flaws) in std::mem::take(&mut self.flaws) {
            let Some(more) = flaws.count.checked_sub(FLAWS_MAX).filter(|more| *more > 0) else {
                continue;
            };
            let (at_ms, session) = self.here();
            let here = std::mem::replace(&mut self.file, file);
            let detail = format!("this and what follows: {more} more unreadable lines");
            let kind = TranscriptFlaw::Unreadable;
            out.push(self.flawed(session, at_ms, flaws.beyond, kind, detail));
            self.file = here;
        }
    }
}
