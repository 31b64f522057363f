//! Reads a test runner's output as it comes.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::failures::{Failures, NAME_BYTES, STACK_BYTES, by_message, failure};
use super::text::KeptText;
use super::{Parsed, RunnerOutput, TestReport, TestRunner, beginnings, runner_of};
use crate::event::{DebugEnvironment, ErrorType, Ordered, TestFailure};
use crate::parse::check::lines::{Lines, OutputStream};

/// Reads a test runner's output as it comes, in any pieces, in bounded memory.
#[derive(Debug)]
pub struct TestReportReader {
    command: String,
    runner: Option<TestRunner>,
    folder: Option<PathBuf>,
    stdout: Lines,
    stderr: Lines,
    parsers: Sniffed,
    end: End,
}

impl TestReportReader {
    /// For the output of this command: its words, or a shell's line as the last of them. Where that names
    /// no runner, the output tells it.
    pub fn of<S: AsRef<str>>(argv: &[S]) -> Self {
        let runner = runner_of(argv);
        let words: Vec<&str> = argv.iter().map(AsRef::as_ref).collect();
        Self {
            command: KeptText::cut(&words.join(" "), NAME_BYTES),
            runner,
            folder: None,
            stdout: Lines::default(),
            stderr: Lines::default(),
            parsers: Sniffed::of(runner),
            end: End::default(),
        }
    }

    /// The folder that the tests run in, absolute: paths below it are told relative to it.
    #[must_use]
    pub fn in_folder(self, folder: &Path) -> Self {
        Self { folder: Some(folder.to_owned()), ..self }
    }

    pub fn runner(&self) -> Option<TestRunner> {
        self.runner
    }

    /// Takes the next bytes of a stream. Where both came through one pipe, either name does.
    pub fn feed(&mut self, from: OutputStream, bytes: &[u8]) {
        let (parsers, end) = (&mut self.parsers, &mut self.end);
        let each = |line: &str| {
            parsers.line(from, line);
            end.line(line);
        };
        match from {
            OutputStream::Stdout => self.stdout.feed(bytes, each),
            OutputStream::Stderr => self.stderr.feed(bytes, each),
        }
    }

    /// Ends the reading: what the run came to, by what was printed and how it ended (128 and the signal's
    /// number where a signal ended it). The duration is the given one where the runner tells none.
    pub fn finish(mut self, exit_code: Option<i32>, duration_ms: Option<u64>) -> TestReport {
        let (parsers, end) = (&mut self.parsers, &mut self.end);
        for (from, lines) in
            [(OutputStream::Stdout, self.stdout), (OutputStream::Stderr, self.stderr)]
        {
            lines.finish(|line| {
                parsers.line(from, line);
                end.line(line);
            });
        }
        let told = self.parsers.finish();
        let is_understood = told.is_some();
        let (runner, mut parsed) = match told {
            Some((runner, parsed)) => (Some(runner), parsed),
            None => (self.runner, Parsed::default()),
        };
        if exit_code == Some(0) && parsed.bad() == 0 {
            parsed.failures = Failures::default(); // a test's own words, or one that passed when retried
        }
        // It failed, and nothing that was understood says why.
        let has_failed = exit_code.is_some_and(|code| code != 0);
        let has_code = matches!(runner, Some(TestRunner::Pytest | TestRunner::Unittest));
        let ran_none = has_code && exit_code == Some(5);
        if has_failed && parsed.bad() == 0 && !ran_none {
            add_end(&mut parsed, &self.command, exit_code, self.end);
        }
        let mut results = parsed.results;
        results.duration_ms = results.duration_ms.or(duration_ms);
        let (mut failures, left_out) = parsed.failures.finish();
        if let Some(folder) = self.folder {
            failures.iter_mut().for_each(|it| shorten(it, &folder));
        }
        TestReport {
            environment: DebugEnvironment {
                runtime: runner.and_then(TestRunner::runtime).map(str::to_owned),
                runtime_version: parsed.runtime_version,
                test_framework: runner.map(|it| it.framework().to_owned()),
                ..DebugEnvironment::default()
            },
            results,
            failures,
            left_out,
            is_understood,
        }
    }
}

/// The command itself as what failed, with the end of what it printed.
fn add_end(parsed: &mut Parsed, command: &str, exit_code: Option<i32>, end: End) {
    let printed = end.finish();
    let how = exit_code.map_or_else(String::new, |code| match signal(code) {
        Some(signal) => format!(" (exit code {code}, {signal})"),
        None => format!(" (exit code {code})"),
    });
    // Where nothing ran the last line is mostly advice.
    let told = printed.lines().rev().find(|line| parsed.results.total == 0 && is_error(line));
    let last = told.or_else(|| printed.lines().rev().find(|line| !line.trim().is_empty()));
    let error_message = match last {
        Some(last) => format!("{}{how}", last.trim()),
        None => format!("the command failed and printed nothing{how}"),
    };
    // Nothing had gone wrong by the totals: this is the one.
    parsed.results.errors = Some(1);
    parsed.results.total = parsed.results.total.saturating_add(1);
    let mut failures = Failures::default();
    let error_type = by_message(&error_message).unwrap_or(ErrorType::Other);
    failures.add(TestFailure {
        stack_trace: Some(printed).filter(|it| !it.trim().is_empty()),
        ..failure(command, error_type, &error_message)
    });
    parsed.failures = failures;
}

/// `error: unexpected argument '--x' found`, `pytest: error: …`, `No tests found, exiting with code 1`.
fn is_error(line: &str) -> bool {
    let words = ["error: ", "ERROR: ", "Error: ", "No tests found"];
    words.iter().any(|it| line.starts_with(it)) || line.contains(": error: ")
}

/// The signal that an exit code tells of: 128 and its number.
fn signal(exit_code: i32) -> Option<&'static str> {
    Some(match exit_code.checked_sub(128)? {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        _ => return None,
    })
}

fn shorten(failure: &mut TestFailure, folder: &Path) {
    let source = failure.source_location.as_mut().and_then(|it| it.file.as_mut());
    // A test may be named by its file.
    let named = std::iter::once(&mut failure.test_name);
    for file in source.into_iter().chain(&mut failure.test_file).chain(named) {
        if let Ok(below) = Path::new(file.as_str()).strip_prefix(folder) {
            *file = below.to_string_lossy().into_owned();
        }
    }
}

/// The parser that the command names; else every one reads along from its first sign on, and who
/// understood most is right.
#[derive(Debug)]
pub struct Sniffed {
    parsers: Vec<(TestRunner, Box<dyn RunnerOutput>)>,
    waiting: Vec<TestRunner>,
}

impl Sniffed {
    pub fn of(runner: Option<TestRunner>) -> Self {
        let waiting = if runner.is_none() { TestRunner::ALL.to_vec() } else { Vec::new() };
        Self { parsers: runner.into_iter().map(|it| (it, it.parser())).collect(), waiting }
    }

    pub fn line(&mut self, from: OutputStream, line: &str) {
        let bare = line.trim_start();
        for runner in beginnings::begun(&mut self.waiting, bare) {
            self.parsers.push((runner, runner.parser()));
        }
        for (_, parser) in &mut self.parsers {
            parser.line(from, line);
        }
    }

    /// The one that found most that went wrong, else most tests: what another one makes of a test's own
    /// output is less.
    pub fn finish(mut self) -> Option<(TestRunner, Parsed)> {
        self.parsers.order_by_key(|it| it.0);
        let told = self.parsers.into_iter().map(|(runner, parser)| (runner, parser.finish()));
        let told = told.filter(|(_, parsed)| parsed.is_understood);
        told.reduce(|best, next| if next.1.weight() > best.1.weight() { next } else { best })
    }
}

#[derive(Debug, Default)]
pub struct End {
    lines: VecDeque<String>,
    bytes: usize,
}

impl End {
    pub fn line(&mut self, line: &str) {
        let line = KeptText::cut(line, STACK_BYTES / 4);
        self.bytes += line.len() + 1;
        self.lines.push_back(line);
        while self.bytes > STACK_BYTES {
            let Some(first) = self.lines.pop_front() else { break };
            self.bytes -= first.len() + 1;
        }
    }

    pub fn finish(self) -> String {
        Vec::from(self.lines).join("\n")
    }
}
