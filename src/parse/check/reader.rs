//! Reads what a command line's checks print, as it comes.

use super::command::{self, CheckCall, PrintedCode, Reach, Trust, View};
use super::coverage::{Coverage, joined};
use super::diagnostic::{Finding, cut};
use super::lines::{Lines, OutputStream};
use super::outcome::{Read, TELLING_BYTES_MAX};
use super::problem::{Matcher, OwnPatterns};
use super::runner::{Sniffed, runner_of};
use super::verdict::{Basis, Said, Verdict, judge};
use super::{CheckReport, CheckRules, Kind, message};
use crate::parse::shell::Script;

/// Of a document of JSON, the bytes that are read.
const DOCUMENT_BYTES_MAX: usize = 4 << 20;
/// Commands that a task says it runs, as many as are looked at.
const ECHOES_MAX: usize = 8;

/// Packages without tests that are kept: more would hold nothing that failed before.
const UNTESTED_MAX: usize = 256;

/// What an agent's tool prints instead of an output, or at its end: it is not all there.
const CUTS: [&str; 3] = [
    "Command running in background with ID: ",
    "[Request interrupted by user",
    "Command was manually backgrounded",
];

/// Reads what a command line's checks print, in any pieces, in bounded memory.
#[derive(Debug)]
pub struct CheckReader {
    script: Script,
    calls: Vec<CheckCall>,
    lines: [Lines; 2],
    streams: [Stream; 2],
    all: Both,
}

/// What is read of both streams.
#[derive(Debug, Default)]
struct Both {
    tests: Option<Sniffed>,
    /// Lines that are not empty.
    lines: u64,
    is_cut: bool,
    /// Whether it is a task, which says what it runs.
    is_task: bool,
    echoes: Vec<CheckCall>,
    /// Packages of Go whose tests failed, as their last lines name them.
    packages: Vec<String>,
    untested: Vec<String>,
    /// How the check ended, where the line prints that behind it, and the code that it printed.
    code: Option<PrintedCode>,
    printed_code: Option<i32>,
    /// The first line that has an error's word, and the last line.
    words: Option<String>,
    last: Option<String>,
}

#[derive(Debug)]
struct Stream {
    matcher: Matcher,
    /// Those of the project's own.
    own: Vec<Matcher>,
    /// Of a stream that begins as a document of JSON.
    document: Option<String>,
    has_begun: bool,
    /// What came as JSON, a line each.
    findings: Vec<Finding>,
}

impl CheckReader {
    /// For a shell's line. `own` are the project's own checks and matchers.
    pub fn of(command: &str, own: &CheckRules) -> Self {
        let script = Script::of(command);
        let mut calls = command::calls(&script, own);
        if calls.iter().any(|it| it.trust != Trust::Hook) {
            calls.retain(|it| it.trust != Trust::Hook);
        }
        let is_named = |it: &CheckCall| matches!(it.trust, Trust::Named | Trust::Report);
        let is_task = !calls.iter().all(is_named);
        let tools = calls.iter().filter(|_| !is_task).flat_map(|it| it.tools.iter().cloned());
        let programs: Vec<String> = tools.collect();
        let tests = is_task || calls.iter().any(|it| it.kind == Kind::Test);
        let all = Both {
            tests: tests.then(|| Sniffed::of(runner_of(&[command]))),
            is_task,
            code: PrintedCode::of(&script, &calls),
            ..Both::default()
        };
        let reads = |it: &&OwnPatterns| {
            let is_called = |name: &String| calls.iter().any(|it| it.is_of(&script, name));
            if it.programs.is_empty() { is_task } else { it.programs.iter().any(is_called) }
        };
        let own = if calls.is_empty() { &[] } else { own.patterns() };
        let own: Vec<&OwnPatterns> = own.iter().filter(reads).collect();
        let streams = [Stream::of(&programs, &own), Stream::of(&programs, &own)];
        Self { script, calls, lines: Default::default(), streams, all }
    }

    /// Whether the line checks anything: what it prints need not be read where it does not.
    pub fn is_check(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Takes the next bytes of a stream. Where both came through one pipe, either name does.
    pub fn feed(&mut self, from: OutputStream, bytes: &[u8]) {
        if !self.is_check() {
            return;
        }
        let at = usize::from(from == OutputStream::Stderr);
        let (stream, all) = (&mut self.streams[at], &mut self.all);
        self.lines[at].feed(bytes, |line| stream.line(from, line, all));
    }

    /// A stream, or a part of it, is not here to be read.
    pub fn miss(&mut self) {
        self.all.lines += 1;
    }

    /// Ends the reading, by how the line ended where that is known.
    pub fn finish(mut self, exit_code: Option<i32>) -> CheckReport {
        if !self.is_check() {
            return CheckReport::default();
        }
        let froms = [OutputStream::Stdout, OutputStream::Stderr];
        for ((from, lines), stream) in froms.into_iter().zip(self.lines).zip(&mut self.streams) {
            lines.finish(|line| stream.line(from, line, &mut self.all));
        }
        let told = self.all.tests.take().and_then(Sniffed::finish);
        let mut read = Read::default();
        for stream in &mut self.streams {
            let own = std::mem::take(&mut stream.own);
            own.into_iter().for_each(|it| read.add_own(it.finish()));
        }
        for stream in self.streams {
            let told = match stream.document {
                Some(document) if stream.findings.is_empty() => message::document(&document),
                _ => stream.findings,
            };
            read.add(told, stream.matcher.finish());
        }
        if !read.documented.is_empty() {
            read.findings = std::mem::take(&mut read.documented);
        }
        if let Some((runner, parsed)) = told {
            read.add_tests(runner, parsed);
        }
        let Both { lines, is_cut, echoes, words, last, packages, untested, printed_code, .. } =
            self.all;
        let view = View::of(&self.script, &self.calls);
        let said = read.said(view, lines, &self.calls);
        let reach = Reach::of(&self.script, &self.calls);
        let (exit_code, reach) = match printed_code {
            Some(code) => (Some(code), Reach { passes: true, fails: true }),
            None => (exit_code, reach),
        };
        let (verdict, basis) = match is_cut {
            true => (Verdict::Unknown, Basis::Nothing),
            false => judge(exit_code, reach, said),
        };
        let is_doubtful = basis == Basis::Contradiction || said == Said::Passed;
        if verdict == Verdict::Passed
            && is_doubtful
            && !command::is_lenient(&self.script, &self.calls)
        {
            // Its own tests, or a program that it ran, printed what looks like them.
            read.findings.retain(|it| it.diagnostic.level != "error");
            read.failures.clear();
        }
        let is_hook = self.calls.iter().all(|it| it.trust == Trust::Hook);
        if is_hook && said != Said::Failed {
            return CheckReport::default();
        }
        let heaviest = self.calls.iter().max_by_key(|it| it.kind);
        let spoke = echoes.last().or(heaviest);
        let skips_all = read.found.results.as_ref().is_some_and(|it| {
            it.passed + it.failed + it.errors.unwrap_or(0) == 0 && it.skipped.unwrap_or(0) > 0
        });
        let covers = |it: &CheckCall| it.coverage.clone();
        let mut coverage: Vec<_> = self.calls.iter().filter_map(covers).collect();
        let folder = coverage.last().map(|it| it.folder.clone()).unwrap_or_default();
        let telling =
            (verdict == Verdict::Failed).then(|| read.telling(&folder).or(words).or(last));
        let telling = telling.flatten();
        let Read { findings, found, failures, left_out, .. } = read;
        let echoed = echoes.iter().filter_map(covers);
        coverage.extend(echoed.map(|it| Coverage { folder: joined(&folder, &it.folder), ..it }));
        CheckReport {
            kind: heaviest.map(|it| it.kind),
            program: spoke
                .and_then(|it| it.program.clone())
                .or_else(|| found.tool.map(str::to_owned)),
            wrapper: heaviest.and_then(|it| it.wrapper.clone()),
            targets: spoke.map(|it| it.targets.clone()).unwrap_or_default(),
            verdict,
            basis,
            findings,
            ran_nothing: (found.nothing || skips_all) && !found.passed && failures.is_empty(),
            is_searched: command::is_searched(&self.script, &self.calls),
            results: found.results,
            failures,
            left_out,
            telling,
            coverage,
            packages,
            untested,
        }
    }
}

impl Stream {
    fn of(programs: &[String], own: &[&OwnPatterns]) -> Self {
        let (document, findings) = (None, Vec::new());
        let (matcher, own) =
            (Matcher::of(programs), own.iter().map(|it| Matcher::own(it)).collect());
        Self { matcher, own, document, has_begun: false, findings }
    }

    fn line(&mut self, from: OutputStream, line: &str, all: &mut Both) {
        if line.trim().is_empty() {
            self.read(line, all);
        } else {
            all.lines += 1;
            let last = all.last.get_or_insert_default();
            last.clear();
            last.push_str(cut(line.trim(), TELLING_BYTES_MAX));
            if let Some(package) =
                line.strip_prefix("FAIL\t").filter(|_| all.packages.len() < ECHOES_MAX)
            {
                all.packages.extend(package.split_whitespace().next().map(str::to_owned));
            }
            if let Some(package) = untested(line).filter(|_| all.untested.len() < UNTESTED_MAX) {
                all.untested.push(package.to_owned());
            }
            if let Some(code) = all.code.as_ref().and_then(|it| it.read(line)) {
                all.printed_code = Some(code);
            }
            all.is_cut |= CUTS.iter().any(|it| line.starts_with(it));
            self.told(line, all);
        }
        if let Some(tests) = &mut all.tests {
            tests.line(from, line);
        }
    }

    fn told(&mut self, line: &str, all: &mut Both) {
        if !self.has_begun {
            self.has_begun = true;
            let is_json =
                line.starts_with('{') || matches!(line.get(..2), None | Some("[{" | "[]"));
            self.document = is_json.then(String::new);
        }
        if let Some(document) = &mut self.document
            && document.len() + line.len() < DOCUMENT_BYTES_MAX
        {
            document.push_str(line);
            document.push('\n');
        }
        if line.starts_with('{') {
            let told = message::rustc(line).or_else(|| message::line(line));
            told.into_iter().for_each(|it| it.add_to(&mut self.findings));
            if let Some(printed) = message::go_output(line) {
                self.read(&printed, all);
            }
            return;
        }
        if all.is_task
            && all.echoes.len() < ECHOES_MAX
            && let Some(call) = command::echo(line)
        {
            all.echoes.push(call);
        }
        self.read(line, all);
    }

    fn read(&mut self, line: &str, all: &mut Both) {
        for own in &mut self.own {
            own.line(line);
        }
        if self.matcher.line(line) && all.words.is_none() {
            all.words = Some(cut(line.trim(), TELLING_BYTES_MAX).to_owned());
        }
    }
}

/// The package of `?   \texample.com/x\t[no test files]`, and of `ok  \texample.com/x\t0.1s [no tests to run]`.
fn untested(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("?   \t").or_else(|| line.strip_prefix("ok  \t"))?;
    let has_none = rest.ends_with("[no test files]") || rest.ends_with("[no tests to run]");
    rest.split('\t').next().filter(|_| has_none)
}
