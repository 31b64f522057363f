//! Reads what a command line's checks print, as it comes.

use super::command::{self, CheckCall, Reach, Trust, View};
use super::diagnostic::{Finding, cut};
use super::lines::{Lines, OutputStream};
use super::outcome::{Read, TELLING_BYTES_MAX};
use super::problem::Matcher;
use super::runner::{Sniffed, runner_of};
use super::verdict::{Basis, Said, Verdict, judge};
use super::{CheckReport, CheckRules, Kind, message};
use crate::parse::shell::Script;

/// Of a document of JSON, the bytes that are read.
const DOCUMENT_BYTES_MAX: usize = 4 << 20;
/// Commands that a task says it runs, as many as are looked at.
const ECHOES_MAX: usize = 8;

/// What a line says that tells of an error, to whoever knows nothing else of it.
const ERRORS: [&str; 6] = ["rror", "not found", "cannot ", "No tests", "ERROR", "failed"];

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
    /// The first line that has an error's word, and the last line.
    words: Option<String>,
    last: Option<String>,
}

#[derive(Debug, Default)]
struct Stream {
    matcher: Matcher,
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
            ..Both::default()
        };
        let stream =
            || Stream { matcher: Matcher::of(&programs, own.tables()), ..Stream::default() };
        let streams = [stream(), stream()];
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
        let Both { lines, is_cut, echoes, words, last, .. } = self.all;
        let view = View::of(&self.script, &self.calls);
        let said = read.said(view, lines, &self.calls);
        let reach = Reach::of(&self.script, &self.calls);
        let (verdict, basis) = match is_cut {
            true => (Verdict::Unknown, Basis::Nothing),
            false => judge(exit_code, reach, said),
        };
        if basis == Basis::Contradiction && verdict == Verdict::Passed {
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
        let telling =
            (verdict == Verdict::Failed).then(|| read.telling().or(words).or(last)).flatten();
        let Read { findings, found, failures, left_out, .. } = read;
        CheckReport {
            kind: heaviest.map(|it| it.kind),
            program: spoke.and_then(|it| it.program.clone()).or_else(|| found.tool.clone()),
            wrapper: heaviest.and_then(|it| it.wrapper.clone()),
            targets: spoke.map(|it| it.targets.clone()).unwrap_or_default(),
            verdict,
            basis,
            findings,
            ran_nothing: found.nothing && !found.passed && failures.is_empty(),
            results: found.results,
            failures,
            left_out,
            telling,
        }
    }
}

impl Stream {
    fn line(&mut self, from: OutputStream, line: &str, all: &mut Both) {
        if line.trim().is_empty() {
            self.matcher.line(line);
        } else {
            all.lines += 1;
            if all.words.is_none() && ERRORS.iter().any(|it| line.contains(it)) {
                all.words = Some(cut(line.trim(), TELLING_BYTES_MAX).to_owned());
            }
            let last = all.last.get_or_insert_default();
            last.clear();
            last.push_str(cut(line.trim(), TELLING_BYTES_MAX));
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
                self.matcher.line(&printed);
            }
            return;
        }
        if all.is_task
            && all.echoes.len() < ECHOES_MAX
            && let Some(call) = command::echo(line)
        {
            all.echoes.push(call);
        }
        self.matcher.line(line);
    }
}
