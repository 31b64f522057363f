//! Runs of tests, from the first that failed till those that failed pass.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::edit::Edit;
use super::run::{Run, Selection};
use super::{FAILING_MAX, FILES_MAX, is_file, is_inside, placed};
use crate::debug::error::Result;
use crate::event::{Body, DebugSessionId, DebugStatus, ExecutionId, SessionId, TestFailure};
use crate::execution::replay::{Walk, What, Window};
use crate::journal::{Project, Reading};

/// Runs of the same runner's tests in an agent's session, and the edits between them.
#[derive(Clone, Debug)]
pub struct Chain {
    pub session: DebugSessionId,
    pub of: SessionId,
    pub agent: Option<String>,
    pub links: Vec<Link>,
    /// Tests that failed, and were not seen to pass since.
    failing: Vec<Failing>,
}

#[derive(Clone, Debug)]
pub struct Link {
    pub run: Run,
    pub edits: Vec<Edit>,
}

#[derive(Clone, Debug)]
struct Failing {
    test: String,
    file: Option<String>,
    by: Selection,
    /// Nothing ran: whatever runs shows that it does.
    ran_none: bool,
}

impl Chain {
    pub fn begin(of: SessionId, run: Run) -> Self {
        let session = Self::id(run.execution);
        let (links, failing) = (Vec::new(), Vec::new());
        let mut chain = Self { session, of, agent: None, links, failing };
        chain.add(run);
        chain
    }

    /// The debug session that begins with this run: the same however often it is worked out.
    pub fn id(first: ExecutionId) -> DebugSessionId {
        let mut bytes = [0; 16];
        let text = ["annals debug session", &first.to_string()].join("\0");
        bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]);
        DebugSessionId::derived(bytes)
    }

    pub fn command(&self) -> &str {
        self.links.first().map_or("", |link| &link.run.command)
    }

    pub fn is_alike(&self, run: &Run) -> bool {
        let is_same = |it: &Run| it.runner() == run.runner() && it.folder == run.folder;
        self.links.first().is_some_and(|link| is_same(&link.run))
    }

    /// Whether a run that failed goes on with it: the same tests ran, one failed again, or no test can
    /// run, or could before.
    pub fn goes_on(&self, run: &Run) -> bool {
        let failed = |it: &Failing| run.report.failures.iter().any(|one| one.test_name == it.test);
        let is_last = self.links.last().is_some_and(|link| link.run.selection == run.selection);
        is_last
            || run.ran_none()
            || self.failing.iter().any(failed)
            || self.failing.iter().all(|it| it.ran_none)
    }

    pub fn is_passed_by(&self, run: &Run) -> bool {
        let failed = |it: &Failing| run.report.failures.iter().any(|one| one.test_name == it.test);
        run.report.results.passed > 0
            && run.report.left_out == 0
            && self.failing.iter().all(|it| it.is_covered(&run.selection) && !failed(it))
    }

    pub fn add(&mut self, run: Run) {
        self.passed(&run);
        let by = &run.selection;
        for it in run.report.failures.iter().take(FAILING_MAX.saturating_sub(self.failing.len())) {
            let (test, ran_none) = (it.test_name.clone(), run.ran_none());
            let file = it.test_file.clone();
            self.failing.push(Failing { test, file, by: by.clone(), ran_none });
        }
        if run.has_failed() && run.report.failures.is_empty() {
            let (test, file, ran_none) = (String::new(), None, run.ran_none());
            self.failing.push(Failing { test, file, by: by.clone(), ran_none });
        }
        self.links.push(Link { run, edits: Vec::new() });
    }

    pub fn add_last(&mut self, run: Run) {
        self.failing.clear();
        self.links.push(Link { run, edits: Vec::new() });
    }

    pub fn is_over(&self) -> bool {
        self.failing.is_empty()
    }

    /// Forgets those of its tests that a run ran: that they failed in it, if they did, is added anew.
    pub fn passed(&mut self, run: &Run) {
        let ran_none = run.ran_none();
        self.failing.retain(|it| !it.ran_none && (ran_none || !it.is_covered(&run.selection)));
    }

    /// The file that it is about: of the project's, the one that was edited most, else the one that a
    /// failure comes from, else its test's, else one that the command names. Where the project has none,
    /// one elsewhere; else what was run stands for it.
    pub fn file(&self, root: &Path) -> String {
        let mut counts: Vec<(&String, usize)> = Vec::new();
        let edited = self.links.iter().flat_map(|link| &link.edits).flat_map(|edit| &edit.files);
        for file in edited {
            match counts.iter_mut().find(|(known, _)| *known == file) {
                Some((_, count)) => *count += 1,
                None => counts.push((file, 1)),
            }
        }
        // Of those that were edited as often, the first.
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let failures = || self.links.iter().flat_map(|link| &link.run.report.failures);
        let source = |it: &TestFailure| it.source_location.as_ref()?.file.clone();
        let edited = counts.into_iter().map(|(file, _)| file.clone());
        let named = self.links.iter().flat_map(|link| named(&link.run, root));
        let all: Vec<String> = edited
            .chain(failures().filter_map(source))
            .chain(failures().filter_map(|it| it.test_file.clone()))
            .chain(named)
            .collect();
        let found = all.iter().find(|file| is_inside(file)).or(all.first());
        found.map_or_else(|| self.command().to_owned(), Clone::clone)
    }

    /// SHA-256 of what is known of the code at a run, in hexadecimal digits: the session, and every edit
    /// so far. The code itself nobody recorded.
    pub fn code_hash(&self, at: usize) -> String {
        let mut hash = Sha256::new();
        hash.update(self.session.to_string());
        for edit in self.links[..at].iter().flat_map(|link| &link.edits) {
            hash.update(edit.files.join("\0"));
            hash.update(&edit.diff);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Failing {
    fn is_covered(&self, by: &Selection) -> bool {
        self.ran_none || by.covers(&self.test, self.file.as_deref(), &self.by)
    }
}

fn named(run: &Run, root: &Path) -> Vec<String> {
    let of_test = |it: &TestFailure| it.test_name.split("::").next().map(str::to_owned);
    let tests = run.report.failures.iter().filter_map(of_test);
    let words = run.command.split_whitespace().filter_map(|word| word.split("::").next());
    let words = words.map(|word| word.trim_matches(['"', '\'']).to_owned());
    let all = tests.chain(words).filter(|word| is_file(word)).take(FILES_MAX);
    all.map(|word| placed(root, &word, &run.folder)).collect()
}

#[derive(Debug, Default)]
pub struct Told {
    /// The attempt that a run of tests is in a debug session.
    pub attempts: BTreeMap<(ExecutionId, DebugSessionId), u32>,
    pub fixes: BTreeMap<(DebugSessionId, u32), u64>,
    pub status: BTreeMap<DebugSessionId, DebugStatus>,
    pub files: BTreeMap<DebugSessionId, String>,
    /// Those that take nothing more.
    pub over: BTreeSet<DebugSessionId>,
    /// Those that were worked out as we do.
    inferred: BTreeSet<DebugSessionId>,
}

impl Told {
    pub fn of(project: &Project) -> Result<Self> {
        let mut told = Self::default();
        for step in Walk::events(&project.journal_dir(), Reading::Live, Window::default())? {
            let What::Event(recorded) = step?.what else { continue };
            let at_ms = recorded.event.envelope.at_ms;
            told.take(recorded.event.body, at_ms);
        }
        Ok(told)
    }

    fn take(&mut self, body: Body, at_ms: u64) {
        match body {
            Body::DebugSessionOpened(it) => {
                self.status.insert(it.session, DebugStatus::InProgress);
                self.files.insert(it.session, it.file_path);
            }
            Body::AttemptRecorded(it) => {
                let Some(execution) = it.execution else { return };
                self.attempts.insert((execution, it.session), it.attempt);
                if Chain::id(execution) == it.session {
                    self.inferred.insert(it.session);
                }
            }
            Body::FixApplied(it) => {
                self.fixes.insert((it.session, it.attempt), at_ms);
            }
            Body::DebugSessionClosed(it) => {
                self.status.insert(it.session, it.status);
                if matches!(it.status, DebugStatus::Passed | DebugStatus::Failed) {
                    self.over.insert(it.session);
                }
            }
            Body::DebugSessionExpired(it) => {
                self.over.insert(it.session);
            }
            Body::DebugSessionImported(it) => {
                self.over.insert(it.session);
            }
            _ => {}
        }
    }

    pub fn sessions(&self, execution: ExecutionId) -> impl Iterator<Item = DebugSessionId> {
        let all = (execution, DebugSessionId([0; 16]))..=(execution, DebugSessionId([u8::MAX; 16]));
        self.attempts.range(all).map(|((_, session), _)| *session)
    }

    pub fn is_anothers(&self, execution: ExecutionId) -> bool {
        self.sessions(execution).any(|session| !self.inferred.contains(&session))
    }
}
