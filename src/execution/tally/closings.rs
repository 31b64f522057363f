//! Executions as they end, as the index's fold has it.

use super::known::{About, Known};
use super::{Added, Tally};
use crate::event::{
    Body, Closing, Content, ExecutionId, Outcome, Recorded, Sequence, target, tool,
};
use crate::execution::closed::Closed;
use crate::execution::json;
use crate::execution::judged::is_answer;
use crate::parse::check;
use crate::parse::check::coverage::Site;

/// Corrections of corrections that are followed; as in the index.
const CORRECTIONS_MAX: usize = 64;

impl Tally {
    pub(super) fn close(
        &mut self,
        recorded: &Recorded,
        closed: Closed<'_>,
        started: Option<&Recorded>,
        has: &dyn Fn(&Content) -> bool,
        added: &mut Added,
    ) {
        let known = match closed.corrects {
            // A correction is a row of its own id, whatever else that id was.
            Some(_) => self.executions.contains_key(&closed.execution).then_some(closed.execution),
            None => self.find(closed.execution),
        };
        if let Some(id) = known.filter(|id| self.executions.get(id).is_some_and(|k| k.has_row)) {
            added.execution = Some(id);
            added.repeated = true;
            return;
        }
        let corrected = closed.corrects.and_then(|id| self.find(id));
        let id = known.unwrap_or_else(|| self.make_row(closed, corrected, added));
        added.execution = Some(id);
        let about = self.about(id, closed.corrects.is_some(), corrected, started, recorded);
        added.target.clone_from(&about.target);
        let started_at = self.executions.get(&id).map_or(0, |known| known.started);
        added.start = (started_at > 0).then_some(Sequence(started_at));
        if let Some(corrected) = closed.corrects.and_then(|id| self.find(id)) {
            self.mark_corrected(corrected, closed.execution);
        }
        let in_force = tool::CONTRACT.contains(&closed.tool) || self.tools.contains(closed.tool);
        added.undeclared = !in_force;
        if in_force {
            self.counts.rows += 1;
            added.row = Some(self.counts.rows);
            added.artifacts =
                closed.closing.map(|closing| artifacts(closing, has)).unwrap_or_default();
            self.counts.artifacts += added.artifacts.len() as u64;
            let start = about.start.as_deref();
            added.graph = Some(self.graph.add(closed, &id.to_string(), start));
            self.counts.diagnostics = self.graph.diagnostics();
            self.counts.edges = self.graph.edges;
        }
        let start = about.start.as_ref();
        let command = start.filter(|_| about.is_check);
        let command = command.and_then(|it| target::command(&it.arguments.0));
        let cwd = start.and_then(|it| it.cwd.as_deref());
        let site = Site { root: &self.root, cwd };
        let judged = closed.judged(command.as_deref(), site, &self.graph.own);
        if let Some(before) = self.executions.get(&id).copied() {
            self.put(id, Known { outcome: Some(judged.outcome), has_row: in_force, ..before });
        }
        if let Some(closing) = closed.closing {
            let paths =
                closing.paths.iter().chain(closing.changed.iter().map(|change| &change.path));
            self.touch(paths, closing.symbols.iter(), added);
        }
        self.pending.withdraw(id);
        let asks = start.is_some_and(|it| check::asks(&it.arguments.0, command.as_deref()));
        let is_answer = is_answer(asks, judged.outcome, closed.closing.and_then(|it| it.exit_code));
        let counts = self.executions.get(&id).is_some_and(|known| !known.corrected);
        match judged.outcome {
            Outcome::Failed if is_answer => {}
            Outcome::Failed if counts => {
                self.pending.wait(&about, closed.tool, id, judged.need());
                added.pending = true;
            }
            Outcome::Ok if judged.is_proven() => {
                added.resolved = self.pending.resolve(&about, closed.tool, &judged)
            }
            _ => {}
        }
    }

    /// A row for an execution that had none: a correction's, or one whose start was lost.
    fn make_row(
        &mut self,
        closed: Closed<'_>,
        corrected: Option<ExecutionId>,
        added: &mut Added,
    ) -> ExecutionId {
        let corrected = corrected.and_then(|id| self.executions.get(&id));
        let started = corrected.map_or(0, |known| known.started);
        added.lost_start = started == 0;
        self.put(
            closed.execution,
            Known { started, outcome: None, has_row: false, corrected: false },
        );
        closed.execution
    }

    /// What the execution is about: remembered while it was open, else read from its start.
    fn about(
        &mut self,
        id: ExecutionId,
        corrects: bool,
        corrected: Option<ExecutionId>,
        started: Option<&Recorded>,
        closing: &Recorded,
    ) -> About {
        let of_corrected = corrected.and_then(|id| self.open.get(&id).cloned());
        let open = self.open.remove(&id);
        if let Some(about) = &open {
            self.open_bytes = self.open_bytes.saturating_sub(about.bytes());
        }
        // A correction has the start of what it corrects, and of nothing else.
        let open = match corrects {
            false => open,
            true => of_corrected.or_else(|| {
                let own = open.filter(|_| started.is_none());
                own.map(|about| About { start: None, ..about })
            }),
        };
        let read = || match started.map(|started| (&started.event.body, started)) {
            Some((Body::ExecutionStarted(start), recorded)) => {
                Some(About::of(recorded, start, &self.graph.own, &self.root))
            }
            _ => None,
        };
        let nothing = || About { session: closing.event.envelope.session, ..About::default() };
        open.or_else(read).unwrap_or_else(nothing)
    }

    /// As the index does it: what was corrected before is counted by its last correction.
    fn mark_corrected(&mut self, corrected: ExecutionId, by: ExecutionId) {
        let mut at = corrected;
        for _ in 0..CORRECTIONS_MAX {
            match self.corrected_by.get(&at).filter(|next| **next != by) {
                Some(next) if self.executions.contains_key(next) => at = *next,
                _ => break,
            }
        }
        self.corrected_by.insert(at, by);
        self.pending.withdraw(at);
        if let Some(before) = self.executions.get(&at).copied() {
            self.put(at, Known { corrected: true, ..before });
        }
    }
}

/// The artifacts that a row gets (ruling 7).
fn artifacts(closing: &Closing, has: &dyn Fn(&Content) -> bool) -> Vec<&'static str> {
    let mut artifacts = Vec::new();
    for (name, content) in [("stdout", &closing.stdout), ("stderr", &closing.stderr)] {
        if content.as_ref().is_some_and(has) {
            artifacts.push(name);
        }
    }
    if closing.diagnostics.as_ref().is_some_and(|json| json::is_array(&json.0)) {
        artifacts.push("diagnostics");
    }
    artifacts
}
