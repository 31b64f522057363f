//! Reads a journal for runs of tests, and for what was edited between them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::chain::{Chain, Link};
use super::edit::{Edit, is_edit};
use super::limits::{DIFF_BYTES_MAX, OPEN_MAX};
use super::run::Run;
use crate::command::walk::Contents;
use crate::event::target::Target;
use crate::event::{
    Body, Closing, DebugSessionId, ExecutionId, ExecutionStarted, Outcome, Recorded, SessionId,
};
use crate::projector::grounding::{CheckKind, Script};

/// What was read so far.
pub struct Reading<'a> {
    root: &'a Path,
    /// Of these agents' sessions; `None`: of all.
    wanted: Option<&'a [SessionId]>,
    /// Executions that are attempts already: of which debug session, and which.
    told: BTreeMap<ExecutionId, (DebugSessionId, u32)>,
    /// Debug sessions that take no further attempt.
    over: BTreeSet<DebugSessionId>,
    sessions: BTreeMap<SessionId, OfSession>,
}

#[derive(Default)]
struct OfSession {
    agent: Option<String>,
    open: BTreeMap<ExecutionId, ExecutionStarted>,
    /// By the target, which runs of the same tests share.
    chains: BTreeMap<String, Chain>,
    done: Vec<Chain>,
}

impl<'a> Reading<'a> {
    /// Of the journal of the project in this folder. `told` are the executions that are attempts of a
    /// debug session already.
    pub fn new(
        root: &'a Path,
        wanted: Option<&'a [SessionId]>,
        told: BTreeMap<ExecutionId, (DebugSessionId, u32)>,
        over: BTreeSet<DebugSessionId>,
    ) -> Self {
        Self { root, wanted, told, over, sessions: BTreeMap::new() }
    }

    /// Takes the next event.
    pub fn take(&mut self, recorded: &Recorded, contents: &Contents) {
        let envelope = &recorded.event.envelope;
        let Some(session) = envelope.session else { return };
        if self.wanted.is_some_and(|wanted| !wanted.contains(&session)) {
            return;
        }
        let of = self.sessions.entry(session).or_default();
        match &recorded.event.body {
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
        if is_edit(&started.tool, closing) {
            if closing.outcome == Outcome::Ok {
                let mut edit = Edit::of(at_ms, &started.arguments.0, &started.paths, closing);
                let folders = [Some(self.root), started.cwd.as_deref().map(Path::new)];
                edit.files.iter_mut().for_each(|file| *file = relative(file, &folders));
                of.edited(&edit);
            }
            return;
        }
        let Some(command) = command(started) else { return };
        let is_check = Script::of(&command.shown).check(&[], false) != CheckKind::None;
        if !is_check && !names_tests(&command.normal) {
            return;
        }
        let Some(run) = Run::of(started.execution, at_ms, &command.normal, closing, contents)
        else {
            return;
        };
        let told = self.told.get(&run.execution).copied();
        of.ran(session, command.normal, run, told, &self.over);
    }

    /// What was found, in the order in which it began.
    pub fn finish(self) -> Vec<Chain> {
        let mut found: Vec<Chain> = self
            .sessions
            .into_values()
            .flat_map(|it| {
                // Who it was is often told last.
                let agent = it.agent;
                let chains = it.done.into_iter().chain(it.chains.into_values());
                chains.map(move |chain| Chain { agent: agent.clone(), ..chain })
            })
            .collect();
        found.sort_by_key(|chain| (chain.links.first().map(|link| link.run.at_ms), chain.session));
        found
    }
}

impl OfSession {
    fn edited(&mut self, edit: &Edit) {
        for link in self.chains.values_mut().filter_map(|chain| chain.links.last_mut()) {
            let kept = link.edits.iter().map(|edit| edit.diff.len()).sum::<usize>();
            let mut edit = edit.clone();
            if kept + edit.diff.len() > DIFF_BYTES_MAX {
                // A fix has room for no more of it; its lines are counted all the same.
                edit.diff = String::new();
            }
            link.edits.push(edit);
        }
    }

    fn ran(
        &mut self,
        of: SessionId,
        command: String,
        run: Run,
        told: Option<(DebugSessionId, u32)>,
        over: &BTreeSet<DebugSessionId>,
    ) {
        let open = self.chains.remove(&command);
        let session = open.as_ref().map_or_else(|| Chain::id(run.execution), |it| it.session);
        let is_anothers = told.is_some_and(|(told, _)| told != session);
        let begins = open.is_none();
        let no_chain = begins && (!run.has_failed() || over.contains(&session));
        let chain = open.unwrap_or_else(|| Chain {
            session,
            of,
            agent: None,
            command: command.clone(),
            links: Vec::new(),
        });
        if is_anothers || no_chain {
            if !begins {
                self.chains.insert(command, chain);
            }
            return;
        }
        let mut chain = chain;
        let link = Link { run, edits: Vec::new(), told: told.map(|(_, attempt)| attempt) };
        chain.links.push(link);
        match chain.is_over() {
            true => self.done.push(chain),
            false => drop(self.chains.insert(command, chain)),
        }
    }
}

/// The command line of a call that has one.
fn command(started: &ExecutionStarted) -> Option<Target> {
    let arguments: Value = serde_json::from_str(&started.arguments.0).ok()?; // else it names none
    let has = |name: &str| arguments.get(name).is_some();
    (has("command") || has("cmd")).then(|| Target::of(&started.arguments.0, &[], &[]))?
}

/// Whether a command that is no known check says that it runs tests (`mise run test`, `./run-tests.sh`),
/// and does not only look at what is called so.
fn names_tests(command: &str) -> bool {
    const LOOKERS: [&str; 15] = [
        "cat", "grep", "rg", "head", "tail", "less", "sed", "awk", "ls", "find", "echo", "git",
        "cd", "cp", "vi",
    ];
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or_default();
    let tests = |word: &str| word.starts_with("test") || word.ends_with("tests.sh");
    !LOOKERS.contains(&program) && (words.any(tests) || program.ends_with("tests.sh"))
}

/// A path from the project's root, where it lies below it.
fn relative(path: &str, folders: &[Option<&Path>]) -> String {
    let below = |folder: &&Path| Path::new(path).strip_prefix(folder).ok();
    let found = folders.iter().flatten().find_map(below);
    found.map_or_else(|| path.to_owned(), |it| it.to_string_lossy().into_owned())
}
