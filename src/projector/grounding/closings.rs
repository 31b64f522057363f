//! Executions as they end.

use super::{
    CLOSED_MAX, FailedCall, Grounding, GroundingEntry, GroundingRules, Hex, LIST_MAX, Moment,
    OpenCall, PendingFailure, RECENT_MAX, RESOLVED_MAX, Resolution, StepSoFar, one_line, passed,
    paths, push, session_tag,
};
use crate::event::{ExecutionId, Outcome, Recorded};
use crate::projector::closed::Closed;
use crate::projector::diagnostic;
use crate::projector::diagnostics::of_closing;

impl Grounding {
    pub(super) fn close(&mut self, recorded: &Recorded, rules: &GroundingRules) {
        let Some(closed) = Closed::of(recorded) else { return };
        let envelope = &recorded.event.envelope;
        let ended =
            self.ordinals.end(closed.execution, closed.tool, closed.corrects, envelope.session);
        let at = self.open.iter().position(|open| open.execution.tag() == ended.row.id);
        let open = at.and_then(|at| self.open.remove(at));
        if let Some(call) = open.as_ref().and_then(|open| open.call) {
            push(&mut self.closed, call, CLOSED_MAX);
        }
        let mine = open.is_some() || ended.row.session == session_tag(self.session());
        if ended.again || !mine {
            return;
        }
        let moment = Moment { sequence: recorded.sequence.0, at_ms: envelope.at_ms };
        let corrected = closed.corrects.and_then(|id| self.withdraw(id));
        let about = open.or_else(|| corrected.map(|entry| of_corrected(&entry)));
        let about = about.unwrap_or_else(|| unseen(&closed, moment, rules));
        let found = closed.closing.map(|it| of_closing(closed.tool, it)).unwrap_or_default();
        let error = match closed.outcome {
            Outcome::Ok => None,
            _ => diagnostic::first(&found).or_else(|| closed.error_message()),
        };
        let entry = GroundingEntry {
            ordinal: ended.ordinal,
            execution: closed.execution.into(),
            moment,
            tool: closed.tool.to_owned(),
            outcome: closed.outcome,
            target: about.target.clone(),
            error: error.map(|error| one_line(&error).into_owned()),
            key: about.key,
            mutation: about.mutation,
            check: about.check,
        };
        self.count(&entry);
        match closed.outcome {
            Outcome::Ok => {
                self.succeeded(&entry, &about, &closed);
                let passed =
                    closed.closing.is_some_and(|it| passed::passed(about.check, it, &found));
                if passed {
                    self.step.checks_passed += 1;
                    self.mutations_since_check = 0;
                    self.last_check = Some(entry.clone());
                }
            }
            Outcome::Failed => self.fail(&entry, &about),
            Outcome::Refused | Outcome::Interrupted => {}
        }
        push(&mut self.recent, entry, RECENT_MAX);
    }

    /// Takes back what is corrected; gives it where it is still known.
    fn withdraw(&mut self, corrected: ExecutionId) -> Option<GroundingEntry> {
        let id = Hex::from(corrected);
        self.executions = self.executions.saturating_sub(1);
        self.failed_calls.retain(|call| call.entry.execution != id);
        for pending in self.pending.iter_mut().filter(|it| it.last.execution == id) {
            pending.failures -= 1;
            pending.same = pending.same.saturating_sub(1);
        }
        self.pending.retain(|pending| pending.failures > 0);
        let at = self.recent.iter().position(|entry| entry.execution == id)?;
        let entry = self.recent.remove(at)?;
        match entry.outcome {
            Outcome::Failed => self.failed = self.failed.saturating_sub(1),
            Outcome::Refused => self.refused = self.refused.saturating_sub(1),
            Outcome::Ok | Outcome::Interrupted => {}
        }
        Some(entry)
    }

    fn count(&mut self, entry: &GroundingEntry) {
        let step = &mut self.step;
        self.executions += 1;
        step.executions += 1;
        match entry.outcome {
            Outcome::Ok => {
                step.ok += 1;
                self.last_ok = entry.ordinal.or(self.last_ok);
            }
            Outcome::Failed => {
                self.failed += 1;
                step.failed += 1;
                self.last_failed = entry.ordinal.or(self.last_failed);
                self.last_failure = Some(entry.moment);
                if step.failures.len() < StepSoFar::FAILURES_MAX {
                    step.failures.push(entry.clone());
                }
            }
            Outcome::Refused => {
                self.refused += 1;
                step.refused += 1;
            }
            Outcome::Interrupted => step.interrupted += 1,
        }
    }

    fn succeeded(&mut self, entry: &GroundingEntry, about: &OpenCall, closed: &Closed<'_>) {
        let same = |it: &PendingFailure| it.last.tool == entry.tool && it.key == entry.key;
        if let Some(at) = self.pending.iter().position(same) {
            let PendingFailure { key, last, edited, .. } = self.pending.remove(at);
            self.resolved.retain(|it| it.key != key || it.failed.tool != last.tool);
            let resolved = entry.clone();
            push(
                &mut self.resolved,
                Resolution { key, failed: last, resolved, edited },
                RESOLVED_MAX,
            );
        }
        self.failed_calls.retain(|call| call.arguments != about.arguments);
        let changed = closed.closing.map(|it| it.changed.as_slice()).unwrap_or_default();
        if !about.mutation && changed.is_empty() {
            return;
        }
        let mut files = paths(changed.iter().map(|change| &change.path));
        if files.is_empty() {
            let told = closed.closing.map(|it| it.paths.as_slice()).unwrap_or_default();
            files = if about.paths.is_empty() { paths(told.iter()) } else { about.paths.clone() };
        }
        if about.mutation {
            self.mutations += 1;
            self.step.mutations += 1;
        }
        self.mutations_since_check += 1;
        self.last_mutation = Some(entry.moment);
        files.iter().for_each(|file| self.step.change(file));
        self.step.changed_more += (changed.len() as u64).saturating_sub(files.len() as u64);
        // What failed before is another call now: something was changed.
        self.failed_calls.clear();
        for pending in &mut self.pending {
            pending.edits += 1;
            for file in &files {
                if pending.edited.len() < PendingFailure::EDITED_MAX
                    && !pending.edited.contains(file)
                {
                    pending.edited.push(file.clone());
                }
            }
        }
    }

    fn fail(&mut self, entry: &GroundingEntry, about: &OpenCall) {
        self.failed_calls.retain(|call| call.arguments != about.arguments);
        let call = FailedCall { arguments: about.arguments, entry: entry.clone() };
        push(&mut self.failed_calls, call, LIST_MAX);
        let same = |it: &PendingFailure| it.last.tool == entry.tool && it.key == entry.key;
        let at = self.pending.iter().position(same);
        let mut pending = match at.map(|at| self.pending.remove(at)) {
            Some(known) => known,
            None => PendingFailure {
                key: entry.key,
                last: entry.clone(),
                failures: 0,
                same: 0,
                since_ms: entry.moment.at_ms,
                executions: Vec::new(),
                edited: Vec::new(),
                edits: 0,
            },
        };
        pending.same = if pending.last.error == entry.error { pending.same + 1 } else { 1 };
        pending.failures += 1;
        pending.last = entry.clone();
        pending.executions.extend(entry.ordinal);
        if pending.executions.len() > PendingFailure::EXECUTIONS_MAX {
            pending.executions.remove(0);
        }
        // The newest last; of too many the oldest goes.
        self.pending.push(pending);
        if self.pending.len() > LIST_MAX {
            self.pending.remove(0);
        }
    }
}

/// What an execution is about whose start was not seen, or is forgotten.
fn unseen(closed: &Closed<'_>, started: Moment, rules: &GroundingRules) -> OpenCall {
    OpenCall {
        execution: closed.execution.into(),
        call: None,
        tool: closed.tool.to_owned(),
        target: None,
        key: Hex([0; 16]),
        arguments: Hex([0; 16]),
        started,
        mutation: rules.is_mutation(closed.tool, None),
        check: rules.check(closed.tool, None),
        paths: Vec::new(),
    }
}

/// What a correction is about: what it corrects.
fn of_corrected(entry: &GroundingEntry) -> OpenCall {
    OpenCall {
        execution: entry.execution,
        call: None,
        tool: entry.tool.clone(),
        target: entry.target.clone(),
        key: entry.key,
        arguments: Hex([0; 16]),
        started: entry.moment,
        mutation: entry.mutation,
        check: entry.check,
        paths: Vec::new(),
    }
}
