//! Reads what a command line's checks print, as it comes.

use super::command::{self, CheckCall, PrintedCode, Reach, Trust, View};
use super::coverage::{Coverage, joined};
use super::form::Told;
use super::lines::{Lines, OutputStream};
use super::outcome::Read;
use super::problem::OwnPatterns;
use super::runner::{Sniffed, runner_of};
use super::stream::{Both, Stream};
use super::verdict::{Basis, Said, Verdict, judge};
use super::{CheckReport, CheckRules, Kind};
use crate::parse::shell::Script;

/// Reads what a command line's checks print, in any pieces, in bounded memory.
#[derive(Debug)]
pub struct CheckReader {
    script: Script,
    calls: Vec<CheckCall>,
    lines: [Lines; 2],
    streams: [Stream; 2],
    all: Both,
}

impl CheckReader {
    /// For a shell's line. `own` are the project's own checks and matchers.
    pub fn of(command: &str, own: &CheckRules) -> Self {
        let line = command::Line::of(command, own);
        let (script, mut calls) = (line.script.clone(), line.calls.clone());
        if calls.iter().any(|it| it.trust < Trust::Hook) {
            calls.retain(|it| it.trust < Trust::Hook);
        }
        let is_named = |it: &CheckCall| matches!(it.trust, Trust::Named | Trust::Report);
        let is_task = !calls.iter().all(is_named);
        let tools = calls.iter().filter(|_| !is_task).flat_map(|it| it.tools.iter().cloned());
        let programs: Vec<String> = tools.collect();
        let tests = is_task || calls.iter().any(|it| it.kind == Kind::Test);
        let all = Both {
            tests: tests.then(|| Sniffed::of(runner_of(&[command]))),
            is_task,
            reads_json: calls.iter().any(|it| it.kind != Kind::Test),
            code: PrintedCode::of(&script, &calls),
            programs: calls.iter().flat_map(|it| it.tools.iter().cloned()).collect(),
            ..Both::default()
        };
        let reads = |it: &&OwnPatterns| {
            let is_called = |name: &String| calls.iter().any(|it| it.is_of(&script, name));
            if it.programs.is_empty() { is_task } else { it.programs.iter().any(is_called) }
        };
        let own = if calls.is_empty() { &[] } else { own.patterns() };
        let own: Vec<&OwnPatterns> = own.iter().filter(reads).collect();
        let is_many = command::runs_often(&script, &calls);
        let streams = [0, 1].map(|_| Stream::of(&programs, &own, is_many));
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
            while let Some(open) = stream.open.take() {
                stream.cut(from, &open, &mut self.all);
            }
        }
        let told = self.all.tests.take().and_then(Sniffed::finish);
        let mut read = Read::default();
        for stream in &mut self.streams {
            let own = std::mem::take(&mut stream.own);
            own.into_iter().for_each(|it| read.add_own(it.finish()));
        }
        let mut documents = Told::default();
        for stream in self.streams {
            documents.add(stream.told);
            read.add(stream.matcher.finish());
        }
        read.add_tests(told);
        let is_report = |it: &String| it.contains("junit") || it.ends_with(".xml");
        let is_asked = self.script.commands.iter().flat_map(|it| &it.words).any(is_report);
        read.add_documents(documents, is_asked);
        let Both { lines, is_cut, is_json, is_ignored, missing, skipped, seen, .. } = self.all;
        let is_excluded = self.all.is_excluded && self.all.excluding == lines;
        let Both { echoes, words, last, packages, untested, printed_code, passed, .. } = self.all;
        read.found.failed = read.found.failed.take().or(missing);
        let is_many = command::runs_often(&self.script, &self.calls);
        let view = match View::of(&self.script, &self.calls) {
            View::Tail(count) if is_json && lines >= count => View::Other,
            _ if is_many && command::shown_together(&self.script).is_some_and(|it| lines >= it) => {
                View::Other
            }
            view => view,
        };
        let is_one = command::is_one_test(&self.script, &self.calls);
        let said = read.said(view, lines, &self.calls, is_one);
        let reach = Reach::of(&self.script, &self.calls);
        let reach = Reach { passes: reach.passes && !is_ignored, ..reach };
        let (exit_code, reach) = match printed_code {
            Some(code) => (Some(code), Reach { passes: true, fails: true }),
            None => (exit_code, reach),
        };
        let (verdict, basis) = match is_cut {
            true => (Verdict::Unknown, Basis::Nothing),
            false => judge(exit_code, reach, said),
        };
        let is_pytest = |it: &CheckCall| it.program.as_deref() == Some("pytest");
        // Its own code for that no test was chosen.
        let is_idle = exit_code == Some(5) && self.calls.iter().any(is_pytest);
        let is_idle = is_idle && said != Said::Failed || is_excluded && exit_code != Some(0);
        let (verdict, basis) =
            if is_idle { (Verdict::Unknown, Basis::Output) } else { (verdict, basis) };
        let is_lenient = command::is_lenient(&self.script, &self.calls);
        let is_blind = is_lenient && verdict == Verdict::Passed && said == Said::Nothing;
        let (verdict, basis) =
            if is_blind { (Verdict::Unknown, Basis::Nothing) } else { (verdict, basis) };
        let is_doubtful = basis == Basis::Contradiction || said == Said::Passed;
        if verdict == Verdict::Passed && is_doubtful && !is_lenient {
            // Its own tests, or a program that it ran, printed what looks like them.
            read.findings.retain(|it| it.diagnostic.level != "error");
            read.failures.clear();
        }
        let is_hook = self.calls.iter().all(|it| it.trust >= Trust::Hook);
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
        read.lies_in(&coverage);
        let folder = coverage.last().map(|it| it.folder.clone()).unwrap_or_default();
        let telling =
            (verdict == Verdict::Failed).then(|| read.telling(&folder).or(words).or(last));
        let telling = telling.flatten();
        let Read { findings, found, failures, left_out, .. } = read;
        let echoed = echoes.iter().filter_map(covers);
        coverage.extend(echoed.map(|it| Coverage { folder: joined(&folder, &it.folder), ..it }));
        let ran_nothing =
            (found.nothing || skips_all || is_idle) && !found.passed && failures.is_empty();
        let is_partial = match verdict {
            Verdict::Failed => command::cuts_off(&self.script, &self.calls, seen),
            _ => !skipped.is_empty() || ran_nothing,
        };
        let count = found.results.as_ref().map_or(0, |it| it.passed);
        // Of Go's `-v` that names none, none ran.
        let names = command::names_tests(&self.script, &self.calls) && view == View::End;
        let names_all = passed.is_whole(count) || names;
        let passed = (names_all && view != View::Other).then_some(passed);
        let is_searched = command::is_searched(&self.script, &self.calls);
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
            ran_nothing,
            is_searched,
            seeks_failure: is_searched && command::seeks_failure(&self.script),
            results: found.results,
            failures,
            left_out,
            telling,
            coverage,
            packages,
            untested,
            skipped,
            passed,
            is_partial,
            root: String::new(),
        }
    }
}
