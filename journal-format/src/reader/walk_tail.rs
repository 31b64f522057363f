//! A second look at the active tail, before anything is said of it (R7).

use std::time::Duration;
use std::{io, thread};

use super::tail_lock::while_quiet;
use super::walk::{Met, Walk};
use super::{LockState, ReadError};
use crate::scan::{Finding, SegmentScan};
use crate::storage::Storage;
use crate::units::Offset;

/// How long a reader without the lock waits between two looks: longer than one write takes.
const PAUSE: Duration = Duration::from_millis(10);
/// Looks that must find the same, and how many there are at most.
const ALIKE_MIN: u32 = 3;
const LOOKS_MAX: u32 = 50;

impl<S: Storage> Walk<S> {
    /// Tells a finding; one at the active tail only after a second look.
    pub(super) fn judge(&mut self, finding: Finding) -> Result<(), ReadError> {
        let active = self.index + 1 == self.catalog.segments.len();
        if !active || !self.options.confirm || finding.at.offset < self.confirmed_to {
            self.tell(finding);
            return Ok(());
        }
        let Some(folder) = self.catalog.folder.clone() else {
            self.lock = LockState::Absent;
            self.tell(finding);
            return Ok(());
        };
        let storage = self.storage.clone();
        match while_quiet(&storage, &folder, || self.look_again(finding.at.offset)) {
            Ok(met) => {
                self.lock = LockState::Confirmed;
                match met {
                    Ok(Some(Met::Commit)) => self.note_commit(),
                    Ok(Some(Met::Finding(finding))) => self.tell(finding),
                    Ok(None) => self.leave(),
                    Err(source) => return Err(self.give_up(source)),
                }
            }
            Err(LockState::Busy) if finding.verdict.is_cut() => {
                // Someone is writing here: this is where the journal ends for now.
                self.lock = LockState::Busy;
                self.leave();
            }
            Err(LockState::Refused) => {
                self.lock = LockState::Refused;
                match self.look_until_still(&finding) {
                    Ok(Some(Met::Commit)) => self.note_commit(),
                    Ok(Some(Met::Finding(finding))) => self.tell(finding),
                    Ok(None) => self.leave(),
                    Err(source) => return Err(self.give_up(source)),
                }
            }
            Err(state) => {
                self.lock = state;
                self.confirmed_to = Offset(u64::MAX);
                self.tell(finding);
            }
        }
        Ok(())
    }

    /// Without the lock: what a writer is at work on looks otherwise a moment later. What looks the
    /// same again and again is told.
    fn look_until_still(&mut self, first: &Finding) -> io::Result<Option<Met>> {
        let (from, mut seen, mut alike) = (first.at.offset, *first, 0);
        for _ in 0..LOOKS_MAX {
            thread::sleep(PAUSE);
            let met = self.look_again(from)?;
            let Some(Met::Finding(found)) = met else { return Ok(met) };
            alike = if found == seen { alike + 1 } else { 0 };
            seen = found;
            if alike >= ALIKE_MIN {
                break;
            }
        }
        Ok(Some(Met::Finding(seen)))
    }

    /// Reads on from the last commit end with fresh bytes; findings before `from` were told.
    fn look_again(&mut self, from: Offset) -> io::Result<Option<Met>> {
        self.close();
        self.scan = Some(self.open_scan(self.good)?);
        loop {
            let met = self.scan_step()?;
            match met {
                Some(Met::Finding(finding)) if finding.at.offset < from => {}
                _ => {
                    let judged = self.scan.as_ref().and_then(SegmentScan::judged_to);
                    self.confirmed_to = judged.unwrap_or(from);
                    return Ok(met);
                }
            }
        }
    }
}
