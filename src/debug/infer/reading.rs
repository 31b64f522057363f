//! Reads a journal for runs of tests, and for what was edited between them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::again::{Flip, flipped, may_touch};
use super::chain::Chain;
use super::edit::{CommandLine, Edit, is_edit, is_editor};
use super::run::Run;
use super::told::Told;
use super::{CHAINS_MAX, DIFF_BYTES_MAX, OPEN_MAX, placed};
use crate::event::{Body, Closing, ExecutionId, ExecutionStarted, Outcome, Recorded, SessionId};
use crate::execution::replay::Contents;

/// What was read so far. What debug memory has already changes nothing of it, but for runs that are
/// attempts of sessions that somebody made otherwise: the same journal gives the same chains, and what is
/// added to it adds to them.
pub struct Reading<'a> {
    root: &'a Path,
    /// Of these agents' sessions; `None`: of all.
    wanted: Option<&'a [SessionId]>,
    told: &'a Told,
    sessions: BTreeMap<SessionId, OfSession>,
    /// Runs that failed, and are attempts already.
    known: u64,
}

#[derive(Default)]
struct OfSession {
    agent: Option<String>,
    open: BTreeMap<ExecutionId, ExecutionStarted>,
    /// Where its shell is, where calls do not say it.
    folder: Option<PathBuf>,
    /// Those that go on, in the order in which they began.
    chains: Vec<Chain>,
    done: Vec<Chain>,
    /// Runs that passed, with the code as it is.
    passed: Vec<Run>,
}

impl<'a> Reading<'a> {
    pub fn new(root: &'a Path, wanted: Option<&'a [SessionId]>, told: &'a Told) -> Self {
        Self { root, wanted, told, sessions: BTreeMap::new(), known: 0 }
    }

    pub fn take(&mut self, recorded: &Recorded, contents: &Contents) {
        let envelope = &recorded.event.envelope;
        let Some(session) = envelope.session else { return };
        if self.wanted.is_some_and(|wanted| !wanted.contains(&session)) {
            return;
        }
        let of = self.sessions.entry(session).or_default();
        match &recorded.event.body {
            // Whoever asks for something may have done something.
            Body::PromptSubmitted(_) => of.touched(),
            Body::SessionStarted(it) if !it.agent.is_empty() => of.agent = Some(it.agent.clone()),
            Body::ExecutionStarted(it) if of.open.len() < OPEN_MAX => {
                of.open.insert(it.execution, it.clone());
            }
            Body::ExecutionFinished(it) => {
                if let Some(started) = of.open.remove(&it.execution) {
                    self.closed(session, &started, envelope.at_ms, &it.closing, contents);
                }
            }
            // Its result may turn up later: what was interrupted stays open here.
            Body::ExecutionCorrected(it) => {
                if let Some(mut started) = of.open.remove(&it.corrects) {
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
        if !command.runs_tests() {
            return;
        }
        let (execution, normal) = (started.execution, &command.normal);
        let run = Run::of(execution, at_ms, normal, &folder, self.root, closing, contents);
        let Some(run) = run else { return };
        self.known += u64::from(run.has_failed() && self.told.sessions(execution).next().is_some());
        if !self.told.is_anothers(execution) {
            of.ran(session, run);
        }
    }

    /// What was found, in the order in which it began; and how many runs failed that are attempts
    /// already.
    pub fn finish(self) -> (Vec<Chain>, u64) {
        let mut found: Vec<Chain> = self
            .sessions
            .into_values()
            .flat_map(|it| {
                // Who it was is often told last.
                let agent = it.agent;
                let chains = it.done.into_iter().chain(it.chains);
                chains.map(move |mut chain| {
                    chain.agent.clone_from(&agent);
                    chain
                })
            })
            .collect();
        found.sort_by_key(|chain| (chain.links.first().map(|link| link.run.at_ms), chain.session));
        (found, self.known)
    }
}

impl OfSession {
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
