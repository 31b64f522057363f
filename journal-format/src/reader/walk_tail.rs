//! A second look at the active tail, before anything is said of it (R7).

use std::io;

use super::tail_lock::while_quiet;
use super::walk::{Met, Walk};
use super::{LockState, ReadError};
use crate::scan::{Finding, SegmentScan};
use crate::storage::Storage;
use crate::units::Offset;

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
            Err(state) => {
                self.lock = state;
                self.confirmed_to = Offset(u64::MAX);
                self.tell(finding);
            }
        }
        Ok(())
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
