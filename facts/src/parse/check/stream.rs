//! One stream of a check's output, line by line, and what both streams have together.

use super::command::{self, CheckCall, PrintedCode};
use super::diagnostic::cut;
use super::form::{Open, Step, Told, json};
use super::lines::OutputStream;
use super::outcome::TELLING_BYTES_MAX;
use super::passed::PassedTests;
use super::problem::{Matcher, OwnPatterns, Signed};
use super::runner::Sniffed;
use crate::parse::background::LEFT;

/// Commands that a task says it runs, as many as are looked at.
const ECHOES_MAX: usize = 8;

/// Packages without tests that are kept: more would hold nothing that failed before.
const UNTESTED_MAX: usize = 256;

/// What an agent's tool prints instead of an output, or at its end: it is not all there.
const CUTS: [&str; 3] = [LEFT, "[Request interrupted by user", "Command was manually backgrounded"];

/// What is read of both streams.
#[derive(Debug, Default)]
pub struct Both {
    pub tests: Option<Sniffed>,
    /// Lines that are not empty.
    pub lines: u64,
    pub is_cut: bool,
    /// Events of `go test -json`: no sum stands at their end.
    pub is_json: bool,
    /// A failure was left out of the exit code (make's `-`).
    pub is_ignored: bool,
    /// The checks' programs, and the first line that says that one of them is not there.
    pub programs: Vec<String>,
    pub missing: Option<String>,
    /// Whether it is a task, which says what it runs.
    pub is_task: bool,
    /// Tests print documents of their own, which say nothing of them.
    pub reads_json: bool,
    pub echoes: Vec<CheckCall>,
    /// Packages of Go whose tests failed, as their last lines name them.
    pub packages: Vec<String>,
    pub untested: Vec<String>,
    /// Tests that were left out, by name.
    pub skipped: Vec<String>,
    pub passed: PassedTests,
    /// A package of Go has no file for the system that it is built for, and so many lines say no more.
    pub is_excluded: bool,
    pub excluding: u64,
    /// Lines, empty ones too.
    pub seen: u64,
    /// How the check ended, where the line prints that behind it, and the code that it printed.
    pub code: Option<PrintedCode>,
    pub printed_code: Option<i32>,
    /// The first line that has an error's word, and the last line.
    pub words: Option<String>,
    pub last: Option<String>,
}

#[derive(Debug)]
pub struct Stream {
    pub matcher: Matcher,
    /// Those of the project's own.
    pub own: Vec<Matcher>,
    /// A document that may go on.
    pub open: Option<Open>,
    pub told: Told,
    /// Lines that began what was no document: in what follows one may begin again, so often.
    false_starts: usize,
}

/// Behind so many false starts what was held back is read as lines alone.
const FALSE_STARTS_MAX: usize = 16;

impl Stream {
    pub fn of(programs: &[String], own: &[&OwnPatterns], is_many: bool) -> Self {
        let own = own.iter().map(|it| Matcher::own(it)).collect();
        let mut matcher = Matcher::of(programs);
        matcher.is_many = is_many;
        Self { matcher, own, open: None, told: Told::default(), false_starts: 0 }
    }

    pub fn line(&mut self, from: OutputStream, line: &str, all: &mut Both) {
        let is_json = line.starts_with('{') && self.open.is_none();
        if let Some(told) = is_json.then(|| json::line(line)).flatten() {
            all.lines += 1;
            return self.told.add(told);
        }
        let Some(mut open) = self.open.take().or_else(|| Open::at(line, all.reads_json)) else {
            return self.text(from, line, all);
        };
        match open.line(line) {
            Step::Open => self.open = Some(open),
            Step::Whole(rest) => {
                self.document(from, &open, all);
                let rest = &line[line.len() - rest..];
                if !rest.trim().is_empty() {
                    self.text(from, rest, all);
                }
            }
            Step::Broken => self.release(from, &open, all),
        }
    }

    /// The stream ends within a document.
    pub fn cut(&mut self, from: OutputStream, open: &Open, all: &mut Both) {
        match open.is_read_in_part() {
            true => self.document(from, open, all),
            false => self.release(from, open, all),
        }
    }

    /// What was held back and is no document is read as its lines: behind the first another one may begin.
    fn release(&mut self, from: OutputStream, open: &Open, all: &mut Both) {
        self.false_starts += 1;
        let is_over = self.false_starts > FALSE_STARTS_MAX;
        for (at, line) in open.text.lines().enumerate() {
            match at == 0 || is_over {
                true => self.text(from, line, all),
                false => self.line(from, line, all),
            }
        }
    }

    /// What is nobody's document is lines as others are.
    fn document(&mut self, from: OutputStream, open: &Open, all: &mut Both) {
        match open.read() {
            Some(told) => {
                all.lines += open.text.lines().count() as u64;
                self.told.add(told);
            }
            None => open.text.lines().for_each(|it| self.text(from, it, all)),
        }
    }

    fn text(&mut self, from: OutputStream, line: &str, all: &mut Both) {
        all.seen += 1;
        let signed = self.matcher.signed(line);
        match line.trim() {
            "" => self.read(line, signed, all),
            text => {
                all.text(line, text, signed);
                self.told(line, signed, all);
            }
        }
        if let Some(tests) = &mut all.tests {
            tests.line(from, line);
        }
    }

    fn told(&mut self, line: &str, signed: Signed, all: &mut Both) {
        if line.starts_with('{') {
            all.is_json |= line.contains("\"Action\"");
            if let Some(printed) = json::go_output(line) {
                let signed = self.matcher.signed(&printed);
                all.skip(&printed, signed);
                self.read(&printed, signed, all);
            }
            return;
        }
        if all.is_task
            && all.echoes.len() < ECHOES_MAX
            && let Some(call) = command::echo(line)
        {
            all.echoes.push(call);
        }
        self.read(line, signed, all);
    }

    fn read(&mut self, line: &str, signed: Signed, all: &mut Both) {
        for own in &mut self.own {
            own.line(line, signed);
        }
        if self.matcher.line(line, signed) && all.words.is_none() {
            all.words = Some(cut(line.trim(), TELLING_BYTES_MAX).to_owned());
        }
    }
}

impl Both {
    /// What a line says by itself, whichever tool printed it; `text`: without the blanks around it.
    fn text(&mut self, line: &str, text: &str, signed: Signed) {
        self.lines += 1;
        self.is_excluded |= is_excluded(line);
        self.excluding += u64::from(is_excluded(line) || stands_beside(line));
        let last = self.last.get_or_insert_default();
        last.clear();
        last.push_str(cut(text, TELLING_BYTES_MAX));
        self.skip(line, signed);
        if let Some(code) = self.code.as_ref().and_then(|it| it.read(line)) {
            self.printed_code = Some(code);
        }
        if !signed.of_any() {
            return;
        }
        if let Some(package) =
            line.strip_prefix("FAIL\t").filter(|_| self.packages.len() < ECHOES_MAX)
        {
            self.packages.extend(package.split_whitespace().next().map(str::to_owned));
        }
        let again = line.strip_prefix("error: test failed, to rerun pass `");
        if let Some(options) = again.filter(|_| self.packages.len() < ECHOES_MAX) {
            self.packages.push(options.trim_end().trim_end_matches('`').to_owned());
        }
        if let Some(package) = untested(line).filter(|_| self.untested.len() < UNTESTED_MAX) {
            self.untested.push(package.to_owned());
        }
        self.is_ignored |= line.starts_with("make") && line.ends_with(" (ignored)");
        let is_its = |it: &str| self.programs.iter().any(|program| program == it);
        if self.missing.is_none() && lacks(line).is_some_and(is_its) {
            self.missing = Some(cut(text, TELLING_BYTES_MAX).to_owned());
        }
        self.is_cut |= CUTS.iter().any(|it| line.starts_with(it));
    }
}

fn is_excluded(line: &str) -> bool {
    line.starts_with("package ") && line.contains(": build constraints exclude all Go files in ")
}

/// Whether a line says no more than that such a package was not built.
fn stands_beside(line: &str) -> bool {
    line.starts_with("# ")
        || line == "FAIL"
        || line.starts_with("FAIL\t") && line.ends_with(" [setup failed]")
}

/// The program that a shell or Python did not find.
fn lacks(line: &str) -> Option<&str> {
    let of_shell = |end: &str| line.strip_suffix(end)?.rsplit(": ").next();
    of_shell(": command not found")
        .or_else(|| of_shell(": not found"))
        .or_else(|| Some(line.split_once("command not found: ")?.1))
        .or_else(|| Some(line.split_once(": No module named ")?.1.trim_matches(['\'', '"'])))
}

impl Both {
    /// What a line says of one test that did not fail.
    fn skip(&mut self, line: &str, signed: Signed) {
        if self.tests.is_none() {
            return;
        }
        self.passed.read(line);
        if self.skipped.len() >= UNTESTED_MAX {
            return;
        }
        let named = signed.of_skip().then(|| skipped(line)).flatten();
        // mocha
        let listed = || line.strip_prefix("  ")?.trim_start().strip_prefix("- ");
        let name = named.or_else(listed).map(|it| cut(it.trim(), TELLING_BYTES_MAX));
        self.skipped.extend(name.filter(|it| !it.is_empty()).map(str::to_owned));
    }
}

/// The test that a line says was left out, as its runner names it.
fn skipped(line: &str) -> Option<&str> {
    let text = line.trim();
    let first = |it: &str| it.len() - it.trim_start_matches(|c: char| !c.is_whitespace()).len();
    // Go, cargo, unittest.
    if let Some(name) = text.strip_prefix("--- SKIP: ") {
        return Some(&name[..first(name)]);
    }
    if let Some((name, _)) = text.strip_prefix("test ").and_then(|it| it.split_once(" ... ignored"))
    {
        return Some(name);
    }
    if let Some((name, _)) = text.split_once(" ... skipped") {
        return Some(&name[..first(name)]);
    }
    // pytest, of which several may run at once.
    for word in ["SKIPPED", "XFAIL"] {
        let Some((before, behind)) = text.split_once(word) else { continue };
        let name = match before.starts_with("[gw") {
            true => &behind.trim_start()[..first(behind.trim_start())],
            false => before.trim_end(),
        };
        if name.contains("::") {
            return Some(name);
        }
    }
    // jest, vitest, node, TAP.
    if let Some(name) = text.strip_prefix("○ skipped ").or_else(|| text.strip_prefix("﹣ ")) {
        return Some(name.rsplit_once(" (").map_or(name, |it| it.0));
    }
    if let Some(name) = text.strip_prefix("↓ ") {
        let name = name.rsplit(" > ").next().unwrap_or(name);
        return Some(name.trim_end_matches(" [skipped]"));
    }
    if let Some((name, _)) = text.strip_prefix("ok ").and_then(|it| it.split_once(" # SKIP")) {
        return name.split_once("- ").map(|it| it.1);
    }
    None
}

/// The package of `?   \texample.com/x\t[no test files]`, and of `ok  \texample.com/x\t0.1s [no tests to run]`.
fn untested(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("?   \t").or_else(|| line.strip_prefix("ok  \t"))?;
    let has_none = rest.ends_with("[no test files]") || rest.ends_with("[no tests to run]");
    rest.split('\t').next().filter(|_| has_none)
}
