//! Executions as they end.

use super::check::passed;
use super::{
    CheckKind, FailedCall, Grounding, GroundingEntry, GroundingRules, Hex, LIST_MAX, LeftCheck,
    Moment, OpenCall, PendingFailure, RECENT_MAX, RESOLVED_MAX, Resolution, RowState, StepSoFar,
    one_line, push, session_tag, tag,
};
use crate::event::tool::Stake;
use crate::event::{Body, Outcome, Recorded, tool};
use crate::execution::closed::Closed;
use crate::execution::judged::is_answer;
use crate::parse::background::left;
use crate::parse::check::Shown;
use crate::parse::check::coverage::{Coverage, Site};
use crate::parse::check::diagnostic::cut;
use crate::parse::content;

/// Of what was printed, the bytes in which the id of a command is looked for that goes on; an id's; checks kept.
const LEFT_BYTES_MAX: usize = 4 << 10;
const ID_BYTES_MAX: usize = 64;
const LEFT_MAX: usize = 16;

impl Grounding {
    pub(crate) fn close(&mut self, recorded: &Recorded, rules: &GroundingRules) {
        let Some(closed) = Closed::of(recorded) else { return };
        let envelope = &recorded.event.envelope;
        let ended =
            self.ordinals.end(closed.execution, closed.tool, closed.corrects, envelope.session);
        let at = self.open.iter().position(|open| open.execution.tag() == ended.row.id);
        let open = at.and_then(|at| self.open.remove(at));
        let is_mine = ended.row.session == session_tag(self.session());
        let call = match &open {
            Some(open) => open.call.map_or(0, Hex::call_tag),
            None if is_mine => ended.row.call,
            None => 0,
        };
        if call != 0 {
            self.closed.add(call, open.as_ref().map_or(0, OpenCall::told));
        }
        if let Some(corrected) = closed.corrects.map(tag) {
            self.given_up.retain(|it| it.execution.tag() != corrected);
        }
        if let (Body::ExecutionInterrupted(_), Some(open)) = (&recorded.event.body, &open) {
            push(&mut self.given_up, open.clone(), LIST_MAX);
        }
        let mine = open.is_some() || is_mine;
        // One that ended before under a tool that nobody had declared is counted by this end, unless
        // a correction counts for it, or it is no longer told.
        let told = || self.recent.iter().any(|it| it.execution.tag() == ended.row.id);
        if !mine || ended.again && (ended.row.state == RowState::Numbered || !told()) {
            return;
        }
        let moment = Moment::of(recorded);
        let before = closed.corrects.map(tag).or(ended.again.then_some(ended.row.id));
        let counted = before.and_then(|tag| self.withdraw(tag));
        let about = open.or_else(|| counted.map(|entry| OpenCall::of_corrected(&entry)));
        let about = about.unwrap_or_else(|| OpenCall::unseen(&closed, moment, rules));
        self.leave(&about, &closed);
        let site = Site { root: &self.root, cwd: about.cwd.as_deref() };
        let judged = closed.judged(about.command.as_deref(), site, &self.own);
        let (outcome, proven) = (judged.outcome, judged.is_proven());
        let (said, need) = (judged.said(), judged.need());
        let ends_same = judged.ends_same();
        let passed_all = if proven { judged.reached() } else { Vec::new() };
        let error = judged.telling;
        let ended_well = closed.closing.filter(|_| about.check != CheckKind::None);
        let ended_well = ended_well.filter(|_| [closed.outcome, outcome].contains(&Outcome::Ok));
        let report = judged.report.unwrap_or_default();
        let verdict = ended_well.map(|it| match closed.outcome {
            Outcome::Ok => passed(about.check, &report, it),
            // A search in what it printed found nothing, or it found nothing to check.
            _ => report.bears_out(false),
        });
        let entry = GroundingEntry {
            ordinal: ended.ordinal,
            // A second start of a call has an id that the execution does not go by.
            execution: if closed.corrects.is_some() {
                closed.execution.into()
            } else {
                about.execution
            },
            moment,
            tool: closed.tool.to_owned(),
            outcome,
            told: Some(closed.outcome).filter(|it| *it != outcome),
            target: about.target.clone(),
            error: error.map(|error| one_line(&error).into_owned()),
            key: about.key,
            mutation: about.mutation,
            check: about.check,
            unproven: verdict.and_then(Result::err),
            is_answer: is_answer(about.asks, outcome, closed.closing.and_then(|it| it.exit_code)),
        };
        let checks = about.check != CheckKind::None || report.kind.is_some();
        let stake = if checks { Stake::Files } else { about.stake };
        self.count(&entry, stake);
        self.step.end(&entry);
        if proven {
            self.resolve(&entry, ends_same, &passed_all);
        }
        let is_overtaken = self.is_overtaken(&about);
        if closed.outcome == Outcome::Ok {
            self.failed_calls.retain(|call| call.arguments != about.arguments);
            self.change(&entry, &about, &closed);
        } else if about.edits && (outcome == Outcome::Ok || entry.is_answer) {
            // Its code only says what it found: what it changed before, it changed.
            self.supersede(moment);
        }
        match outcome {
            Outcome::Ok => {
                let changed = closed.closing.map(|it| it.changed.as_slice()).unwrap_or_default();
                // What it checked was changed meanwhile, or by itself afterwards.
                let is_past = is_overtaken || about.edits_last && !changed.is_empty();
                let passed = verdict == Some(Ok(())) && !is_past;
                // Who looked for failures and found none has nothing against what passed before.
                let is_calm = report.seeks_failure && closed.outcome != Outcome::Ok;
                self.doubt(&about, verdict.filter(|_| !is_calm));
                self.see(&about, changed);
                if let Some(closing) = closed.closing {
                    self.step.print(&entry, closing, passed);
                }
                if passed {
                    self.step.checks_passed = self.step.checks_passed.saturating_add(1);
                    self.mutations_since_check = 0;
                    self.last_check = Some(entry.clone());
                    self.shown = self.shown.with(Shown::of(&report));
                }
            }
            Outcome::Failed if entry.is_answer => {
                if about.asks_for_files {
                    self.miss(&entry, &about);
                }
            }
            Outcome::Failed => {
                if stake < Stake::Files {
                    self.miss(&entry, &about);
                }
                self.fail(&entry, &about, said.unwrap_or_default().into(), need);
            }
            Outcome::Refused | Outcome::Interrupted => {}
        }
        push(&mut self.recent, entry, RECENT_MAX);
    }

    /// Remembers a check that was left to go on in the background.
    fn leave(&mut self, about: &OpenCall, closed: &Closed<'_>) {
        let printed = closed.closing.and_then(|it| it.stdout.as_ref());
        let printed = printed.filter(|_| closed.tool == "bash_exec");
        let text = printed.and_then(|it| content::text(it, LEFT_BYTES_MAX));
        if let (Some(command), Some(id)) = (&about.command, text.as_deref().and_then(left)) {
            let id = cut(id, ID_BYTES_MAX).to_owned();
            let (command, cwd, started) = (command.clone(), about.cwd.clone(), about.started);
            push(&mut self.left, LeftCheck { id, command, cwd, started }, LEFT_MAX);
        }
    }

    /// Takes back what is corrected; gives it where it is still known.
    fn withdraw(&mut self, corrected: u64) -> Option<GroundingEntry> {
        let is = |id: Hex| id.tag() == corrected;
        self.executions = self.executions.saturating_sub(1);
        self.failed_calls.retain(|call| !is(call.entry.execution));
        for pending in self.pending.iter_mut().filter(|it| is(it.last.execution)) {
            pending.failures = pending.failures.saturating_sub(1);
            pending.same = pending.same.saturating_sub(1);
        }
        self.pending.retain(|pending| pending.failures > 0);
        let at = self.recent.iter().position(|entry| is(entry.execution))?;
        let entry = self.recent.remove(at)?;
        let newest = |outcome| {
            let it = self.recent.iter().rev().find(|it| it.outcome == outcome);
            it.and_then(|it| it.ordinal)
        };
        match entry.outcome {
            Outcome::Ok => {
                self.mutations -= u64::from(tool::is_mutation(&entry.tool)).min(self.mutations);
                self.last_ok = newest(Outcome::Ok);
            }
            Outcome::Failed => {
                self.failed = self.failed.saturating_sub(1);
                self.last_failed = newest(Outcome::Failed);
            }
            Outcome::Refused => self.refused = self.refused.saturating_sub(1),
            Outcome::Interrupted => {}
        }
        Some(entry)
    }

    fn count(&mut self, entry: &GroundingEntry, stake: Stake) {
        let step = &mut self.step;
        self.executions = self.executions.saturating_add(1);
        step.executions = step.executions.saturating_add(1);
        match entry.outcome {
            Outcome::Ok => {
                step.ok = step.ok.saturating_add(1);
                self.last_ok = entry.ordinal;
                self.mutations =
                    self.mutations.saturating_add(u64::from(tool::is_mutation(&entry.tool)));
            }
            Outcome::Failed => {
                self.failed = self.failed.saturating_add(1);
                self.last_failed = entry.ordinal;
                if entry.is_answer {
                    return;
                }
                if stake > Stake::Nothing {
                    self.last_failure = Some(entry.moment);
                }
                if stake > Stake::Deed {
                    self.last_upset = Some(entry.moment);
                }
                step.failed = step.failed.saturating_add(1);
                if step.failures.len() < StepSoFar::FAILURES_MAX {
                    step.failures.push(entry.clone());
                }
            }
            Outcome::Refused => {
                self.refused = self.refused.saturating_add(1);
                step.refused = step.refused.saturating_add(1);
            }
            Outcome::Interrupted => step.interrupted = step.interrupted.saturating_add(1),
        }
    }

    /// A success ends the failures of the same, and a check that passed those that it would have shown.
    fn resolve(&mut self, entry: &GroundingEntry, ends_same: bool, passed: &[Coverage]) {
        let shows = |need: &Coverage| passed.iter().any(|it| it.covers(need));
        let misses = |need: &Coverage| passed.iter().any(|it| it.misses(need));
        let same = |it: &PendingFailure| {
            let need = it.need.as_ref();
            ends_same && it.is_of(&entry.tool, entry.key) && !need.is_some_and(misses)
                || need.is_some_and(shows)
        };
        while let Some(at) = self.pending.iter().position(same) {
            let PendingFailure { key, last, edited, .. } = self.pending.remove(at);
            self.resolved.retain(|it| !it.is_of(&last.tool, key));
            let resolved = entry.clone();
            push(
                &mut self.resolved,
                Resolution { key, failed: last, resolved, edited },
                RESOLVED_MAX,
            );
        }
    }

    fn fail(
        &mut self,
        entry: &GroundingEntry,
        about: &OpenCall,
        said: Hex,
        need: Option<Coverage>,
    ) {
        self.failed_calls.retain(|call| call.arguments != about.arguments);
        let call = FailedCall { arguments: about.arguments, entry: entry.clone() };
        push(&mut self.failed_calls, call, LIST_MAX);
        if entry.key == UNSEEN {
            return;
        }
        let same = |it: &PendingFailure| it.is_of(&entry.tool, entry.key);
        let at = self.pending.iter().position(same);
        let mut pending = match at.map(|at| self.pending.remove(at)) {
            Some(known) => known,
            None => PendingFailure {
                key: entry.key,
                last: entry.clone(),
                failures: 0,
                same: 0,
                said,
                since_ms: entry.moment.at_ms,
                executions: Vec::new(),
                edited: Vec::new(),
                edits: 0,
                need: None,
            },
        };
        pending.same = if pending.said == said { pending.same.saturating_add(1) } else { 1 };
        (pending.said, pending.need) = (said, need);
        pending.failures = pending.failures.saturating_add(1);
        pending.last = entry.clone();
        pending.executions.push(entry.ordinal);
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

/// What stands for a target or arguments that are not known, the default: nothing is tried again under it.
const UNSEEN: Hex = Hex([0; 16]);
