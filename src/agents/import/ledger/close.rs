//! What is left when every file is read: calls without result, results without call, titles.

use super::calls::named;
use super::{Ledger, OpenCall, event};
use crate::agents::import::item::{CallResult, Head};
use crate::agents::import::limits::{LOOSE_BYTES_MAX, LOOSE_RESULTS_MAX};
use crate::event::{Body, Event, ExecutionInterrupted, SessionId, TranscriptFlaw};

/// Why a call without result is interrupted.
const NO_RESULT: &str = "no transcript that was read has its result";

/// A result whose call no file has shown yet.
#[derive(Clone, Debug)]
pub struct LooseResult {
    pub file: String,
    pub line: u64,
    pub session: Option<SessionId>,
    pub at_ms: u64,
    pub head: Head,
    pub result: CallResult,
}

impl Ledger {
    /// Keeps a result in case a later file has its call.
    pub(super) fn keep_loose(
        &mut self,
        head: &Head,
        line: u64,
        result: CallResult,
        out: &mut Vec<Event>,
    ) {
        let session = self.here().1.or_else(|| self.nameless());
        let (file, at_ms) = (self.file.clone(), self.at_ms(head));
        let loose = LooseResult { file, line, session, at_ms, head: head.clone(), result };
        let bytes = loose.bytes();
        if self.loose.len() < LOOSE_RESULTS_MAX && self.loose_bytes + bytes <= LOOSE_BYTES_MAX {
            self.loose_bytes += bytes;
            self.loose.push(loose);
        } else {
            out.push(self.give_up(&loose));
        }
    }

    /// The result that waited for this call.
    pub(super) fn take_loose(&mut self, call: &str) -> Option<LooseResult> {
        let is =
            |loose: &LooseResult| named(loose.result.scope.as_deref(), &loose.result.id) == call;
        let at = self.loose.iter().position(is)?;
        let loose = self.loose.remove(at);
        self.loose_bytes = self.loose_bytes.saturating_sub(loose.bytes());
        Some(loose)
    }

    /// The results that no file had a call for. The journal may know it from an earlier import;
    /// what it does not know either is to be given to [`Ledger::give_up`].
    pub fn loose_results(&mut self) -> Vec<LooseResult> {
        self.loose_bytes = 0;
        std::mem::take(&mut self.loose)
    }

    /// A result without call, on record.
    pub fn give_up(&mut self, loose: &LooseResult) -> Event {
        self.report.results_without_call += 1;
        let (kind, detail) = (TranscriptFlaw::ResultWithoutCall, loose.result.id.clone());
        let here = std::mem::replace(&mut self.file, loose.file.clone());
        let event = self.flawed(loose.session, loose.at_ms, loose.line, kind, detail);
        self.file = here;
        event
    }

    /// The sessions go on: what has no result yet may still get one.
    pub fn leave_open(&mut self) {
        self.open.clear();
        self.open_tasks.clear();
    }

    /// Every file is read: calls without result are interrupted, sessions get their titles.
    pub fn close(&mut self, out: &mut Vec<Event>) {
        self.interrupt_open(out);
        for session in &mut self.sessions {
            if let Some(started) = session.last_word() {
                let at_ms = session.last_ms.unwrap_or(self.file_ms);
                out.push(event(Some(session.id), at_ms, Body::SessionStarted(started)));
            }
        }
    }

    /// Records every open call as interrupted, in the order of their calls.
    pub(super) fn interrupt_open(&mut self, out: &mut Vec<Event>) {
        let mut open: Vec<OpenCall> = self.open.drain().map(|(_, open)| open).collect();
        open.sort_unstable_by_key(|open| open.order);
        self.open_tasks.clear();
        for OpenCall { execution, tool, session, number, at_ms, .. } in open {
            self.report.interrupted += 1;
            let last_ms = number.and_then(|number| self.sessions.get(number)?.last_ms);
            let at_ms = last_ms.max(at_ms).unwrap_or(self.file_ms);
            let reason = NO_RESULT.to_owned();
            let body = Body::ExecutionInterrupted(ExecutionInterrupted { execution, tool, reason });
            out.push(event(session, at_ms, body));
        }
    }
}

impl LooseResult {
    fn bytes(&self) -> usize {
        let len = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
        len(&self.result.stdout) + len(&self.result.stderr)
    }
}
