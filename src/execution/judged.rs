//! What an execution came to: as its caller was told, and as its check says (ruling 17).

use super::closed::Closed;
use crate::event::target::CallDigest;
use crate::event::{Closing, Content, ExecutionId, Outcome, TestFailure};
use crate::parse::check::cause::{Cause, has_run};
use crate::parse::check::coverage::{Coverage, Site, need};
use crate::parse::check::diagnostic::{self, Diagnostic};
use crate::parse::check::{
    self, Basis, CheckReport, CheckRules, Verdict, error_in, line_of, of_report,
};
use crate::parse::content;

/// Of each output, the bytes in which an error's line is looked for.
const PRINTED_BYTES_MAX: usize = 64 << 10;

/// What every question goes by: the log, what is pending, the gate.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// What the caller was told; a check that failed behind a pipe has failed all the same.
    pub outcome: Outcome,
    /// `None`: it was no check.
    pub report: Option<CheckReport>,
    pub diagnostics: Vec<Diagnostic>,
    /// The one line that says most of why it did not end well.
    pub telling: Option<String>,
    /// Where it ran.
    cwd: Option<String>,
}

impl Closed<'_> {
    /// `command`: its command line, where that is a check's, and `site` where it ran. `own`: the
    /// project's own checks.
    pub(crate) fn judged(&self, command: Option<&str>, site: Site<'_>, own: &CheckRules) -> Judged {
        let report = self.report(command, site, own);
        let read = |closing| of_report(report.as_ref(), closing);
        let diagnostics = self.closing.map(read).unwrap_or_default();
        let has_failed = report.as_ref().is_some_and(|it| it.verdict == Verdict::Failed);
        let outcome = match self.outcome {
            Outcome::Ok if has_failed => Outcome::Failed,
            Outcome::Failed if report.as_ref().is_some_and(CheckReport::is_idle) => Outcome::Ok,
            Outcome::Failed if self.is_a_search_in_vain(report.as_ref()) => Outcome::Ok,
            told => told,
        };
        // Its caller's own words say more than an output that nobody understood.
        let is_read = |it: &&CheckReport| matches!(it.basis, Basis::Output | Basis::Both);
        let of_check = || report.as_ref().filter(|_| has_failed).filter(is_read)?.telling.clone();
        let of_error = || {
            let error = self.error_message()?;
            let of_output = || self.printed_error().filter(|_| self.corrects.is_none());
            match self.closing.and_then(|it| it.error.as_deref()).filter(|it| !it.is_empty()) {
                Some(_) => line_of(&error).or_else(of_output),
                None => of_output(),
            }
            .or_else(|| line_of(&error))
            .or_else(|| error.lines().next().map(str::to_owned))
        };
        let first = || diagnostic::first(&diagnostics);
        let is_well = outcome == Outcome::Ok;
        let telling = if is_well { None } else { of_check().or_else(first).or_else(of_error) };
        let telling = telling.map(|it| check::below(&it, site.cwd));
        let cwd = site.cwd.filter(|_| outcome == Outcome::Failed).map(str::to_owned);
        Judged { outcome, report, diagnostics, telling, cwd }
    }
}

/// A test that a run names as failed.
pub(crate) struct FailedTest {
    pub name: String,
    pub file: Option<String>,
    pub line: Option<i64>,
    /// Where in the code the failure came from.
    pub source: Option<String>,
    pub source_line: Option<i64>,
    pub error: &'static str,
    pub message: String,
    /// It was built and loaded.
    pub ran: bool,
}

/// What a call failed for, by its result: see [`Judged::causes`].
pub(crate) fn causes_of(
    tool: &str,
    closing: &Closing,
    command: Option<&str>,
    cwd: Option<&str>,
    own: &CheckRules,
) -> Vec<Cause> {
    let (execution, outcome) = (ExecutionId([0; 16]), closing.outcome);
    let (corrects, reason, closing) = (None, None, Some(closing));
    Closed { execution, tool, outcome, corrects, reason, closing }
        .judged(command, Site { root: "", cwd }, own)
        .causes()
}

impl Closed<'_> {
    fn report(
        &self,
        command: Option<&str>,
        site: Site<'_>,
        own: &CheckRules,
    ) -> Option<CheckReport> {
        check::report(self.tool, command, own, self.closing?).map(|it| it.placed(site))
    }

    /// Its diagnostics alone: what it printed is read only where none were recorded.
    pub(crate) fn diagnostics(&self, command: Option<&str>, own: &CheckRules) -> Vec<Diagnostic> {
        let Some(closing) = self.closing else { return Vec::new() };
        let is_silent = closing.stdout.is_none() && closing.stderr.is_none();
        let report = match closing.diagnostics.is_some() || is_silent {
            true => None,
            false => self.report(command, Site::default(), own),
        };
        of_report(report.as_ref(), closing)
    }

    /// The line of what it printed that tells of an error.
    fn printed_error(&self) -> Option<String> {
        let closing = self.closing?;
        let read = |content: &Option<Content>| {
            error_in(&content::text(content.as_ref()?, PRINTED_BYTES_MAX)?)
        };
        read(&closing.stderr).or_else(|| read(&closing.stdout))
    }

    /// Whether the code that it ended with says that nothing matched in what a check printed.
    fn is_a_search_in_vain(&self, report: Option<&CheckReport>) -> bool {
        let code = self.closing.and_then(|it| it.exit_code).unwrap_or(1);
        code == 1 && report.is_some_and(|it| it.is_searched && it.verdict == Verdict::Unknown)
    }
}

/// Whether a failure is the answer to what a command line asked, as `asks` has it.
pub(crate) fn is_answer(asks: bool, outcome: Outcome, exit_code: Option<i32>) -> bool {
    asks && outcome == Outcome::Failed && exit_code.unwrap_or(1) == 1
}

impl Judged {
    /// What it failed for; nothing where it did not fail, or nobody can tell.
    pub(crate) fn causes(&self) -> Vec<Cause> {
        if self.outcome != Outcome::Failed {
            return Vec::new();
        }
        let mut causes =
            Cause::of(self.report.as_ref(), &self.diagnostics, self.telling.as_deref());
        for one in &mut causes {
            one.place = one.place.take().map(|it| check::below(&it, self.cwd.as_deref()));
        }
        causes
    }

    /// The tests that it names as failed; none where it did not fail.
    pub(crate) fn failed_tests(&self) -> Vec<FailedTest> {
        let failures = self.report.as_ref().filter(|_| self.outcome == Outcome::Failed);
        let failures = failures.map(|it| it.failures.as_slice()).unwrap_or_default();
        let below = |path: &String| check::below(path, self.cwd.as_deref());
        let of = |it: &TestFailure| {
            let source = it.source_location.as_ref();
            FailedTest {
                name: it.test_name.clone(),
                file: it.test_file.as_ref().map(below),
                line: it.test_line,
                source: source.and_then(|it| it.file.as_ref()).map(below),
                source_line: source.and_then(|it| it.line),
                error: it.error_type.as_str(),
                message: it.error_message.clone(),
                ran: has_run(it),
            }
        };
        failures.iter().map(of).collect()
    }

    pub(crate) fn verdict(&self) -> Option<(Verdict, Basis)> {
        self.report.as_ref().map(|it| (it.verdict, it.basis))
    }

    /// Of a failed check: what a later one must look at to have shown it.
    pub(crate) fn need(&self) -> Option<Coverage> {
        need(self.report.as_ref().filter(|_| self.outcome == Outcome::Failed)?)
    }

    /// What its checks looked at, as far as they are known to have run to their end.
    pub(crate) fn reached(&self) -> Vec<Coverage> {
        self.report.as_ref().map(CheckReport::reached).unwrap_or_default()
    }

    /// What two failures have alike that say the same.
    pub(crate) fn said(&self) -> Option<CallDigest> {
        (self.outcome == Outcome::Failed).then(|| diagnostic::said(self.telling.as_deref()))
    }

    /// Whether it ends failures of the same call: where tests were left out, only what it looked at tells.
    pub(crate) fn ends_same(&self) -> bool {
        self.is_proven() && !self.is_partial()
    }

    /// Of a run of tests, how many ran. Without `-v` Go tells of those that passed only their packages.
    pub(crate) fn tests_ran(&self) -> Option<u64> {
        let report = self.report.as_ref()?;
        let is_counted = report.coverage.iter().all(|it| it.language != "go");
        let results = report.results.as_ref().filter(|_| is_counted)?;
        Some(results.ran())
    }

    pub(crate) fn tests_skipped(&self) -> Option<u64> {
        let results = self.report.as_ref()?.results.as_ref()?;
        Some(results.skipped.unwrap_or(0))
    }

    /// Of a run that names all tests that passed, those.
    pub(crate) fn tests_passed(&self) -> Option<Vec<u8>> {
        Some(self.report.as_ref()?.passed.as_ref()?.to_bytes())
    }

    pub(crate) fn is_partial(&self) -> bool {
        self.report.as_ref().is_some_and(|it| it.is_partial)
    }

    /// Whether it ends failures: of a check, only where it is known to have passed.
    pub(crate) fn is_proven(&self) -> bool {
        self.outcome == Outcome::Ok
            && self.report.as_ref().is_none_or(|it| it.verdict == Verdict::Passed)
    }
}
