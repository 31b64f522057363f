//! Runs of checks with all that they said, read from the journal again: the stores do not keep it.

use std::collections::{HashMap, HashSet};

use super::checks::{is_run_of, rules_of};
use super::{QueryError, Stores};
use crate::event::{Body, Closing, Content, ExecutionId, Sequence, SessionId, TestFailure};
use crate::execution::closed::Closed;
use crate::execution::graph::{FileKey, Roots};
use crate::execution::index::{LIST_BEFORE, list};
use crate::execution::replay::{Contents, Walk};
use crate::execution::window::Window;
use crate::journal::JournalError;
use crate::parse::check::coverage::{Site, joined};
use crate::parse::check::diagnostic::{self, Finding};
use crate::parse::check::runner::place;
use crate::parse::check::{CheckReport, CheckRules, Verdict};
use crate::parse::shell::Script;
use crate::store::columns::columns;

/// A run of a check, as `index.db` has it.
#[derive(Clone, Debug)]
pub struct CheckRunRow {
    seq: i64,
    pub id: ExecutionId,
    pub ordinal: Option<u64>,
    at_seq: u64,
    pub at_ms: u64,
    pub started_ms: Option<u64>,
    pub session: Option<SessionId>,
    session_cwd: Option<String>,
    tool: String,
    command: Option<String>,
    cwd: Option<String>,
    target: Option<String>,
    key: Option<Vec<u8>>,
    outcome: String,
    pub exit_code: Option<i64>,
    /// It failed, and no check that would have shown it has passed since.
    is_pending: bool,
}

/// What a run said.
#[derive(Clone, Debug)]
pub struct ToldRun {
    /// `go test`; of a task, or several, what was called.
    pub program: String,
    /// What was called.
    pub command: String,
    pub verdict: Verdict,
    pub basis: &'static str,
    pub results: Vec<ToldResult>,
}

/// A diagnostic, or a test that failed.
#[derive(Clone, Debug)]
pub struct ToldResult {
    /// Its code, else its level; of a test [`TEST_FAILURE`].
    pub rule: String,
    pub level: String,
    pub message: String,
    pub place: Option<Place>,
    pub related: Vec<(String, Option<Place>)>,
    pub test: Option<String>,
    /// The same in every run that says the same of the same file, wherever in it.
    pub fingerprint: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// From the project's root; absolute where it lies elsewhere.
    pub file: FileKey,
    /// From 1.
    pub line: Option<u32>,
    pub column: Option<u32>,
}

/// The rule of a test that failed.
pub const TEST_FAILURE: &str = "test-failure";

const ROWS: &str = "SELECT e.seq, e.id, e.ordinal, e.at_seq, e.at_ms, e.started_ms, s.id, s.cwd, e.tool, \
     e.command, e.cwd, e.target, e.target_key, e.outcome, e.exit_code, EXISTS (SELECT 1 FROM pending p \
     WHERE p.session = -1 AND p.execution = e.seq) FROM executions e \
     LEFT JOIN sessions s ON s.number = e.session WHERE e.checked IS NOT NULL \
     AND e.corrected_by IS NULL AND e.outcome IN ('ok', 'failed') ORDER BY e.at_ms, e.at_seq";

impl Stores {
    /// Runs of checks in a window, the oldest first: of each check the newest, but for one whose failure a later
    /// check has ended; or `all`.
    pub fn check_runs(&self, window: &Window, all: bool) -> Result<Vec<CheckRunRow>, QueryError> {
        let mut rows: Vec<CheckRunRow> = self.index.rows(ROWS, [], |row| {
            columns!(row => CheckRunRow {
                seq, id, ordinal, at_seq, at_ms, started_ms, session, session_cwd, tool, command, cwd,
                target, key, outcome, exit_code, is_pending
            })
        })?;
        rows.retain(|it| {
            window.holds_at(Sequence(it.at_seq))
                && window.from_ms.is_none_or(|from| it.at_ms >= from)
                && window.through_ms.is_none_or(|through| it.at_ms <= through)
                && window
                    .sessions
                    .as_ref()
                    .is_none_or(|them| it.session.is_some_and(|session| them.contains(&session)))
        });
        if !all {
            let own = self.own_checks()?;
            let declared: Vec<_> = own.checks.iter().map(|it| (it, rules_of(it))).collect();
            let mut known = HashSet::new();
            let mut is_newest = |row: &CheckRunRow| {
                let command = row.command.as_deref().unwrap_or_default();
                let script = Script::of(command);
                let of =
                    declared.iter().position(|(it, rules)| is_run_of(it, rules, command, &script));
                let key = row.key.clone().unwrap_or_else(|| row.seq.to_le_bytes().to_vec());
                known.insert(of.ok_or((row.tool.clone(), key)))
            };
            let newest: HashSet<i64> =
                rows.iter().rev().filter(|it| is_newest(it)).map(|it| it.seq).collect();
            rows.retain(|it| newest.contains(&it.seq) && (it.outcome == "ok" || it.is_pending));
        }
        Ok(rows)
    }

    /// The project's own checks that were in force when a run ended.
    pub fn checks_at(&self, row: &CheckRunRow) -> Result<CheckRules, QueryError> {
        Ok(list(self.index.cell::<String>(LIST_BEFORE, [row.at_seq])?).into())
    }
}

impl CheckRunRow {
    /// What the run said; `None` where its event, or what it printed, is gone.
    pub fn read(
        &self,
        journal: &Walk,
        roots: &Roots,
        own: &CheckRules,
    ) -> Result<Option<ToldRun>, JournalError> {
        let recorded = match journal.get(Sequence(self.at_seq)) {
            Ok(Some(recorded)) => recorded,
            Ok(None) | Err(JournalError::Undecodable { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(closed) = Closed::of(&recorded) else { return Ok(None) };
        let Some(closing) = closed.closing else { return Ok(None) };
        if journal.contents().missing(&recorded.event.body).is_some() {
            return Ok(None);
        }
        let closing = with_contents(closing, journal.contents());
        let closed = Closed { closing: Some(&closing), ..closed };
        let judged = closed.judged(self.command.as_deref(), Site::default(), own);
        let Some(report) = judged.report else { return Ok(None) };
        let told = match closing.diagnostics.is_some() {
            // Recorded as such: what it printed is the same again.
            true => judged.diagnostics.into_iter().map(plain).collect(),
            false => report.findings.clone(),
        };
        Ok(Some(self.told(&report, told, roots)))
    }
}

fn plain(diagnostic: diagnostic::Diagnostic) -> Finding {
    Finding { tool: String::new(), column: None, related: Vec::new(), diagnostic }
}

/// A closing whose outputs are all in it.
fn with_contents(closing: &Closing, contents: &Contents) -> Closing {
    let inline = |content: &Content| match content {
        Content::Blob { .. } | Content::Repeated { .. } => {
            let bytes = contents.bring(content).bytes.unwrap_or_default();
            Content::Inline(bytes.into_owned())
        }
        other => other.clone(),
    };
    let (stdout, stderr) =
        (closing.stdout.as_ref().map(inline), closing.stderr.as_ref().map(inline));
    Closing { stdout, stderr, ..closing.clone() }
}

impl CheckRunRow {
    fn told(&self, report: &CheckReport, told: Vec<Finding>, roots: &Roots) -> ToldRun {
        let folder = report.coverage.last().map(|it| it.folder.as_str()).unwrap_or_default();
        let cwd = joined(self.cwd.as_deref().unwrap_or_default(), folder);
        let cwd = Some(cwd).filter(|it| !it.is_empty());
        let file = |path: &str| {
            let key = roots.told_key(path, cwd.as_deref());
            // A session of another machine has its project where it ran.
            let own = self.session_cwd.as_deref().filter(|it| it.starts_with('/'));
            let below = own.and_then(|it| key.as_str().strip_prefix(it)?.strip_prefix('/'));
            below.map_or_else(|| key.clone(), |it| roots.key(it, None))
        };
        let has_place =
            |it: &Finding| it.diagnostic.code.is_some() || it.diagnostic.file_name.is_some();
        let mut results: Vec<ToldResult> = told
            .into_iter()
            .filter(has_place)
            .map(|it| ToldResult::of_finding(it, &file))
            .chain(report.failures.iter().map(|it| ToldResult::of_test(it, &file)))
            .collect();
        let mut seen: HashMap<String, u32> = HashMap::new();
        for result in &mut results {
            result.set_fingerprint(&mut seen);
        }
        let command = self.command.clone().or_else(|| self.target.clone());
        let command = command.unwrap_or_else(|| self.tool.clone());
        let called = || report.wrapper.clone().unwrap_or_else(|| command.clone());
        ToldRun {
            program: report.program.clone().unwrap_or_else(called),
            verdict: report.verdict,
            basis: report.basis.as_str(),
            command,
            results,
        }
    }
}

impl ToldResult {
    fn of_finding(finding: Finding, file: &impl Fn(&str) -> FileKey) -> Self {
        let Finding { column, related, diagnostic, .. } = finding;
        let line = diagnostic.line_start;
        let place = |it: &String| Place { file: file(it), line, column };
        let related = related.into_iter().map(|it| {
            let at = place_of(&it, file);
            (it, at)
        });
        Self {
            rule: diagnostic.label().to_owned(),
            level: diagnostic.level.clone(),
            place: diagnostic.file_name.as_ref().map(place),
            related: related.collect(),
            test: None,
            fingerprint: String::new(),
            message: diagnostic.message,
        }
    }

    fn of_test(failed: &TestFailure, file: &impl Fn(&str) -> FileKey) -> Self {
        let at = |path: &Option<String>, line: Option<i64>| {
            let line = line.and_then(|it| u32::try_from(it).ok()).filter(|it| *it > 0); // no line
            path.as_deref().map(|it| Place { file: file(it), line, column: None })
        };
        let source = failed.source_location.as_ref().and_then(|it| at(&it.file, it.line));
        let place = at(&failed.test_file, failed.test_line).or_else(|| source.clone());
        let related = source.filter(|it| Some(it) != place.as_ref());
        Self {
            rule: TEST_FAILURE.to_owned(),
            level: "error".to_owned(),
            message: format!("{}: {}", failed.test_name, failed.error_message),
            place,
            related: related
                .map(|it| ("where it came from".to_owned(), Some(it)))
                .into_iter()
                .collect(),
            test: Some(failed.test_name.clone()),
            fingerprint: String::new(),
        }
    }

    /// blake3 of rule, file, test and message without lines and columns, and how many before it are alike.
    fn set_fingerprint(&mut self, seen: &mut HashMap<String, u32>) {
        let mut hash = blake3::Hasher::new();
        let file = self.place.as_ref().map(|it| it.file.as_str()).unwrap_or_default();
        for text in [&*self.rule, file, self.test.as_deref().unwrap_or_default()] {
            hash.update(text.as_bytes()).update(&[0]);
        }
        hash.update(&diagnostic::said(Some(&self.message)).0);
        let digest = hash.finalize().to_hex()[..32].to_owned();
        let nth = seen.entry(digest.clone()).or_default();
        *nth += 1;
        self.fingerprint = format!("{digest}:{nth}");
    }
}

/// The place that a line begins with: `src/b.rs:3: borrowed here`.
fn place_of(text: &str, file: &impl Fn(&str) -> FileKey) -> Option<Place> {
    let (path, line, _) = place(text).filter(|it| !it.0.contains(char::is_whitespace))?;
    Some(Place { file: file(path), line: u32::try_from(line).ok(), column: None }) // no line
}

/// The folder that a journal's paths are told from.
pub fn roots_of(journal: &Walk) -> Result<Roots, JournalError> {
    let mut roots = journal.roots();
    if let Some(first) = journal.get(Sequence(1))?
        && let Body::JournalCreated(created) = &first.event.body
    {
        roots.tell_from(&created.root);
    }
    Ok(roots)
}
