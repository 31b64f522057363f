//! Reads a journal for runs of tests, and for what was edited between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::again::{Flip, flipped, may_touch};
use super::chain::Chain;
use super::edit::{CommandLine, Edit, is_edit, is_editor};
use super::run::Run;
use super::{CHAINS_MAX, DIFF_BYTES_MAX, OPEN_MAX, placed};
use crate::event::{
    Body, Closing, ExecutionId, ExecutionStarted, Ordered, Outcome, Recorded, Sequence, SessionId,
};
use crate::execution::replay::Contents;

/// What was read so far. What debug memory has already changes nothing of it, but for runs that are
/// attempts of sessions that somebody made otherwise: the same journal gives the same chains, and what is
/// added to it adds to them.
pub struct Reading<'a> {
    root: &'a Path,
    /// Of these agents' sessions; `None`: of all.
    wanted: Option<&'a [SessionId]>,
    /// Executions that are attempts of sessions that somebody made otherwise.
    others: &'a BTreeSet<ExecutionId>,
    sessions: BTreeMap<SessionId, OfSession>,
}

/// What is open in agents' sessions.
#[derive(Default, Serialize, Deserialize)]
pub struct Sessions(Vec<([u8; 16], OfSession)>);

#[derive(Default, Serialize, Deserialize)]
struct OfSession {
    agent: Option<String>,
    #[serde(skip)]
    open: BTreeMap<ExecutionId, (Sequence, ExecutionStarted)>,
    /// Where the calls began that were open when it was kept.
    open_at: Vec<u64>,
    /// Where its shell is, where calls do not say it.
    folder: Option<PathBuf>,
    /// Those that go on, in the order in which they began.
    chains: Vec<Chain>,
    #[serde(skip)]
    done: Vec<Chain>,
    /// Runs that passed, with the code as it is.
    passed: Vec<Run>,
    /// The sequence of its last event.
    last: u64,
}

/// A session that is gone on with after so many events begins anew: what is kept open must not grow with the journal.
const QUIET_EVENTS: u64 = 30_000;

impl<'a> Reading<'a> {
    pub fn new(
        root: &'a Path,
        wanted: Option<&'a [SessionId]>,
        others: &'a BTreeSet<ExecutionId>,
        kept: Sessions,
    ) -> Self {
        let sessions = kept.0.into_iter().map(|(id, of)| (SessionId(id), of)).collect();
        Self { root, wanted, others, sessions }
    }

    /// Where the calls began that were open when the session of an event was kept, if this is the first that
    /// is read of it since.
    pub fn open_at(&mut self, of: &Recorded) -> Vec<u64> {
        let session = of.event.envelope.session;
        let kept = session.and_then(|it| self.sessions.get_mut(&it));
        kept.map(|it| std::mem::take(&mut it.open_at)).unwrap_or_default()
    }

    pub fn take(&mut self, recorded: &Recorded, contents: &Contents) {
        let envelope = &recorded.event.envelope;
        let Some(session) = envelope.session else { return };
        if self.wanted.is_some_and(|wanted| !wanted.contains(&session)) {
            return;
        }
        let of = self.sessions.entry(session).or_default();
        of.read(recorded.sequence.0);
        match &recorded.event.body {
            // Whoever asks for something may have done something.
            Body::PromptSubmitted(_) => of.touched(),
            Body::SessionStarted(it) if !it.agent.is_empty() => of.agent = Some(it.agent.clone()),
            Body::ExecutionStarted(it) if of.open.len() < OPEN_MAX => {
                of.open.insert(it.execution, (recorded.sequence, it.clone()));
            }
            Body::ExecutionFinished(it) => {
                if let Some((_, started)) = of.open.remove(&it.execution) {
                    self.closed(session, &started, envelope.at_ms, &it.closing, contents);
                }
            }
            // Its result may turn up later: what was interrupted stays open here.
            Body::ExecutionCorrected(it) => {
                if let Some((_, mut started)) = of.open.remove(&it.corrects) {
                    started.execution = it.execution;
                    self.closed(session, &started, envelope.at_ms, &it.closing, contents);
                }
            }
            _ => {}
        }
    }

    fn closed(
        &mut self,
        session: SessionId,
        started: &ExecutionStarted,
        at_ms: u64,
        closing: &Closing,
        contents: &Contents,
    ) {
        let Some(of) = self.sessions.get_mut(&session) else { return };
        let (root, is_ok) = (self.root, closing.outcome == Outcome::Ok);
        let begun_in = started.cwd.as_deref().map_or(root, Path::new);
        let place = |mut edit: Edit, folder: &Path| {
            edit.files.iter_mut().for_each(|it| *it = placed(root, it, folder));
            edit
        };
        if is_edit(&started.tool, closing) {
            if is_ok {
                let edit = Edit::of(at_ms, &started.arguments.0, &started.paths, closing);
                of.edited(&place(edit, begun_in));
            }
            if is_editor(&started.tool) {
                return;
            }
        }
        let command = CommandLine::of(started);
        if may_touch(started, command.as_ref()) {
            of.touched();
        }
        let Some(command) = command else { return };
        let folder = of.folder_of(&command, started, root);
        if is_ok
            && closing.changed.is_empty()
            && let Some(edit) = command.edit(at_ms)
        {
            of.edited(&place(edit, &folder));
        }
        if !command.runs_tests {
            return;
        }
        let (execution, normal) = (started.execution, &command.normal);
        let run = Run::of(execution, at_ms, normal, &folder, self.root, closing, contents);
        let Some(run) = run else { return };
        if !self.others.contains(&execution) {
            of.ran(session, run);
        }
    }

    /// What was found and may not be recorded, in the order in which it began.
    pub fn news(&self) -> Vec<Chain> {
        let of_session = |it: &OfSession| -> Vec<Chain> {
            let chains = it.done.iter().chain(&it.chains).filter(|chain| chain.is_news);
            // Who it was is often told last.
            let named = chains.cloned().map(|mut chain| {
                chain.agent.clone_from(&it.agent);
                chain
            });
            named.collect()
        };
        let mut found: Vec<Chain> = self.sessions.values().flat_map(of_session).collect();
        found.order_by_key(|chain| (chain.links.first().map(|link| link.run.at_ms), chain.session));
        found
    }

    /// What stays open once all that was found is recorded and an event was the last one read.
    pub fn kept(mut self, through: u64) -> Sessions {
        for of in self.sessions.values_mut() {
            of.open_at.extend(of.open.values().map(|(at, _)| at.0));
            of.chains.iter_mut().filter(|it| it.is_news).for_each(Chain::settle);
        }
        let is_open = |of: &OfSession| {
            let has_open = !of.chains.is_empty() || !of.passed.is_empty() || !of.open_at.is_empty();
            has_open && !of.is_quiet(through)
        };
        let all = self.sessions.into_iter().filter(|(_, of)| is_open(of));
        Sessions(all.map(|(id, of)| (id.0, of)).collect())
    }
}

impl OfSession {
    /// Another event of it, or the beginning of a call that was open when it was kept.
    fn read(&mut self, sequence: u64) {
        if self.is_quiet(sequence) {
            self.done.append(&mut self.chains);
            self.passed.clear();
            self.open.clear();
        }
        self.last = self.last.max(sequence);
    }

    fn is_quiet(&self, sequence: u64) -> bool {
        self.last > 0 && sequence.saturating_sub(self.last) > QUIET_EVENTS
    }

    fn folder_of(
        &mut self,
        command: &CommandLine,
        started: &ExecutionStarted,
        root: &Path,
    ) -> PathBuf {
        if let Some(cwd) = &started.cwd {
            return command.folder(Path::new(cwd)).0;
        }
        let (folder, is_whole) = command.folder(root);
        if is_whole {
            self.folder = Some(folder.clone());
        }
        match (&self.folder, folder == root) {
            (Some(known), true) => known.clone(),
            _ => folder,
        }
    }

    fn touched(&mut self) {
        self.passed.clear();
        for link in self.chains.iter_mut().filter_map(|chain| chain.links.last_mut()) {
            link.is_touched = true;
        }
    }

    fn edited(&mut self, edit: &Edit) {
        self.passed.clear();
        self.chains.iter_mut().for_each(|it| it.is_news = true);
        for link in self.chains.iter_mut().filter_map(|chain| chain.links.last_mut()) {
            let kept = link.edits.iter().map(|edit| edit.diff.len()).sum::<usize>();
            let mut edit = edit.clone();
            if kept + edit.diff.len() > DIFF_BYTES_MAX {
                // A fix has room for no more of it; its lines are counted all the same.
                edit.diff = String::new();
            }
            link.edits.push(edit);
        }
    }

    /// A run that passed ends every chain whose tests it ran. One that failed goes on with one, or
    /// begins one; others, whose tests it ran and which did not fail, it ends.
    fn ran(&mut self, of: SessionId, run: Run) {
        let has_failed = run.has_failed();
        let flips =
            self.passed.iter().rev().find(|it| it.is_same(&run)).map(|it| flipped(it, &run));
        let goes_on = |chain: &Chain| has_failed && chain.is_alike(&run) && chain.goes_on(&run);
        let joined = self.chains.iter().rposition(goes_on);
        let (mut open, mut has_joined) = (Vec::with_capacity(self.chains.len()), false);
        for (at, mut chain) in std::mem::take(&mut self.chains).into_iter().enumerate() {
            let is_joined = joined == Some(at);
            if !chain.is_alike(&run) {
                open.push(chain);
            } else if is_joined {
                match chain.is_again(&run) {
                    true => chain.again(&run),
                    false => chain.add(run.clone()),
                }
                has_joined = true;
                open.push(chain);
            } else if chain.is_passed_by(&run) {
                match chain.is_again(&run) {
                    true => chain.again(&run),
                    false => chain.add_last(run.clone()),
                }
                self.done.push(chain);
            } else {
                if !has_failed {
                    chain.passed(&run);
                }
                open.push(chain);
            }
        }
        if !has_failed {
            self.passed.retain(|it| !it.is_same(&run));
            self.passed.push(run);
            let more = self.passed.len().saturating_sub(CHAINS_MAX);
            self.passed.drain(..more);
        } else if !has_joined {
            let at_ms = run.at_ms;
            let mut chain = Chain::begin(of, run);
            let flips = flips.filter(|tests| !tests.is_empty());
            chain.flips.extend(flips.map(|tests| Flip { at_ms, tests }));
            open.push(chain);
        }
        // What was begun first and never seen to pass is waited for no longer.
        while open.len() > CHAINS_MAX {
            self.done.push(open.remove(0));
        }
        self.chains = open;
    }
}

#[cfg(test)]
mod tests;
