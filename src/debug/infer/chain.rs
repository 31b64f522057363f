//! Runs of tests, from the first that failed till those that failed pass.

use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::again::{Flip, flipped};
use super::bookmark::{debug_session_id, session_id};
use super::edit::Edit;
use super::run::{Run, Selection};
use super::{FAILING_MAX, FILES_MAX, is_file, is_inside, placed};
use crate::event::{DebugSessionId, ExecutionId, Ordered, SessionId, TestFailure};

/// Runs of the same runner's tests in an agent's session, and the edits between them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Chain {
    #[serde(with = "debug_session_id")]
    pub session: DebugSessionId,
    #[serde(with = "session_id")]
    pub of: SessionId,
    #[serde(skip)]
    pub agent: Option<String>,
    /// Of those that are recorded, the last alone is kept.
    pub links: Vec<Link>,
    /// So many are recorded and not kept.
    pub before: u32,
    /// The hash of the code at the first that is kept; none where nothing came before.
    code: Option<String>,
    /// Whether there is anything that may not be recorded.
    #[serde(skip)]
    pub is_news: bool,
    /// Where its tests ended otherwise with the same code.
    pub flips: Vec<Flip>,
    /// Tests that failed, and were not seen to pass since.
    failing: Vec<Failing>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Link {
    pub run: Run,
    pub edits: Vec<Edit>,
    /// Whether something came after it that may have changed what nobody recorded.
    pub is_touched: bool,
}

impl Link {
    fn of(run: Run) -> Self {
        Self { run, edits: Vec::new(), is_touched: false }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
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
        let (links, flips, failing) = (Vec::new(), Vec::new(), Vec::new());
        let (before, code, is_news) = (0, None, true);
        let mut chain =
            Self { session, of, agent: None, links, before, code, is_news, flips, failing };
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

    /// Whether a run is the last one again: of the same code, by all that is recorded.
    pub fn is_again(&self, run: &Run) -> bool {
        let last = self.links.last().filter(|it| it.edits.is_empty() && !it.is_touched);
        last.is_some_and(|it| it.run.is_same(run))
    }

    /// It is no attempt; where it ended otherwise its tests are flaky.
    pub fn again(&mut self, run: &Run) {
        let before = self.links.last().map(|it| flipped(&it.run, run)).unwrap_or_default();
        if !before.is_empty() {
            self.flips.push(Flip { at_ms: run.at_ms, tests: before });
        }
        self.is_news = true;
        match run.has_failed() {
            true => self.fails(run),
            false => self.failing.clear(),
        }
    }

    pub fn add(&mut self, run: Run) {
        self.passed(&run);
        self.fails(&run);
        self.is_news = true;
        self.links.push(Link::of(run));
    }

    fn fails(&mut self, run: &Run) {
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
    }

    pub fn add_last(&mut self, run: Run) {
        self.failing.clear();
        self.is_news = true;
        self.links.push(Link::of(run));
    }

    pub fn attempts(&self) -> u32 {
        self.before.saturating_add(u32::try_from(self.links.len()).unwrap_or(u32::MAX))
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
        counts.order_by_key(|(_, count)| std::cmp::Reverse(*count));
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
        let begun = || hashed(&[&self.session.to_string()]);
        let mut code = self.code.clone().unwrap_or_else(begun);
        for edit in self.links[..at].iter().flat_map(|link| &link.edits) {
            code = hashed(&[&code, &edit.files.join("\0"), &edit.diff]);
        }
        code
    }

    /// Forgets what is recorded, but for what a later run is held against.
    pub fn settle(&mut self) {
        let last = self.links.len().saturating_sub(1);
        self.code = Some(self.code_hash(last));
        self.links.drain(..last);
        self.before = self.before.saturating_add(u32::try_from(last).unwrap_or(u32::MAX));
        for failure in self.links.iter_mut().flat_map(|it| &mut it.run.report.failures) {
            failure.error_message.clear();
            (failure.stack_trace, failure.source_location) = (None, None);
            (failure.expected, failure.actual) = (None, None);
        }
        self.flips.iter_mut().for_each(|it| it.tests.clear());
        self.is_news = false;
    }
}

fn hashed(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
