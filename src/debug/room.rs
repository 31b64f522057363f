//! Whether a session's document has room for more.

use serde::Serialize;

use super::limits::{ATTEMPT_FAILURES_BYTES_MAX, DOCUMENT_BYTES_MAX};
use super::{AttemptGiven, DebugError};
use crate::debug::query::DebugRecord;
use crate::event::TestFailure;

/// Kept free for what follows from it: a status, a verification, a trial.
const FREE_BYTES: usize = 64 << 10;

/// Refuses what a document has no room for: the stores would not take it.
pub(super) fn for_more(record: &DebugRecord, more: &impl Serialize) -> Result<(), DebugError> {
    match bytes(&record.document) + bytes(more) + FREE_BYTES > DOCUMENT_BYTES_MAX {
        true => Err(DebugError::Full { session: record.session.id }),
        false => Ok(()),
    }
}

impl AttemptGiven {
    /// The same with what there is room for: without the code, or the traces, where they do not fit.
    pub(super) fn fitting(mut self, record: &DebugRecord) -> Result<Self, DebugError> {
        let held = bytes(&record.document) + FREE_BYTES;
        let is_fit = |it: &Self| {
            // What is no UTF-8 grows by at most three, what is escaped by at most six.
            let code = it.code_snapshot.as_deref().map_or(0, |code| {
                serde_json::to_string(&String::from_utf8_lossy(code)).map_or(0, |text| text.len())
            });
            held + code + bytes(&it.failures) + bytes(&it.environment) <= DOCUMENT_BYTES_MAX
        };
        if !is_fit(&self) {
            self.code_snapshot = None;
        }
        if !is_fit(&self) {
            self.failures.iter_mut().for_each(|failure| failure.stack_trace = None);
        }
        match is_fit(&self) {
            true => Ok(self),
            false => Err(DebugError::Full { session: record.session.id }),
        }
    }
}

/// How many of these failures are kept of one attempt: its results count them all.
pub(super) fn kept(failures: &[TestFailure]) -> usize {
    let mut left = ATTEMPT_FAILURES_BYTES_MAX;
    let fits = |failure: &&TestFailure| match left.checked_sub(bytes(failure)) {
        Some(less) => {
            left = less;
            true
        }
        None => false,
    };
    failures.iter().take_while(fits).count()
}

fn bytes(value: &impl Serialize) -> usize {
    // What cannot be written has no bytes; it fails where it is written.
    serde_json::to_string(value).map_or(0, |json| json.len())
}
