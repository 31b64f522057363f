//! Problem matchers, in the manner of editors: lines of compilers, linters and runners, read by tables.

mod expression;
mod open;
mod signs;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::diagnostic::{self, Finding, cut};
use super::runner::failures::FAILURES_MAX;
use crate::event::{DeclaredMatcher, TestFailure, TestResults};
use expression::Expression;
pub use expression::lean;
use open::{Open, add};
pub use signs::Signed;
use signs::Signs;
use table::{Patterns, TABLES};

/// Lines longer than this are no tool's own.
const LINE_BYTES_MAX: usize = 8 << 10;
const RELATED_MAX: usize = 8;

/// Reads one stream's lines by the tables of the programs that print to it.
#[derive(Debug, Default)]
pub struct Matcher {
    programs: Vec<String>,
    /// It reads by this one of the project's own, and by no table.
    own: Option<OwnPatterns>,
    /// From the first line on.
    signs: Option<Signs>,
    /// The last line that began at the margin.
    heading: String,
    open: Option<Open>,
    /// Rows of which the line that must stand before them was seen.
    begun: Vec<(usize, usize)>,
    /// Several runs print here: what one of them said is not for the next one to take back.
    pub is_many: bool,
    /// A line said that it failed whatever sums follow.
    is_stopped: bool,
    /// A line said how many tests passed.
    is_passed_told: bool,
    /// Lines so far, and those of them that told a failure and a pass last.
    at: u64,
    failed_at: u64,
    passed_at: u64,
    pub found: Found,
}

/// A matcher of a project's own: its name, the programs that it reads, its patterns.
#[derive(Clone, Debug)]
pub struct OwnPatterns {
    name: String,
    pub programs: Vec<String>,
    patterns: Arc<Patterns>,
}

impl OwnPatterns {
    pub fn of(matcher: &DeclaredMatcher) -> Self {
        let DeclaredMatcher { name, programs, .. } = matcher.clone();
        Self { name, programs, patterns: Arc::new(Patterns::declared(matcher)) }
    }
}

/// What the tables found.
#[derive(Debug, Default)]
pub struct Found {
    pub findings: Vec<Finding>,
    pub failures: Vec<TestFailure>,
    pub left_out: u64,
    pub results: Option<TestResults>,
    /// The first line that told a failure.
    pub failed: Option<String>,
    /// One that does where nothing passes behind it.
    pub last: Option<String>,
    pub passed: bool,
    pub nothing: bool,
    /// It told a failure, and nothing behind that that all passed.
    pub is_open: bool,
    /// Whose lines were understood first.
    pub tool: Option<&'static str>,
}

impl Matcher {
    /// For what these programs print; none: any.
    pub fn of(programs: &[String]) -> Self {
        Self { programs: programs.to_vec(), ..Self::default() }
    }

    /// For what a matcher of the project's own reads.
    pub fn own(own: &OwnPatterns) -> Self {
        Self { own: Some(own.clone()), ..Self::default() }
    }

    /// What a line has signs of.
    pub fn signed(&mut self, line: &str) -> Signed {
        self.signs.get_or_insert_with(|| Signs::of(&self.programs)).line(line)
    }

    /// Takes the next line, and what it has signs of; whether it has a word of an error's.
    pub fn line(&mut self, line: &str, signed: Signed) -> bool {
        self.at += 1;
        if line.len() > LINE_BYTES_MAX {
            return false;
        }
        if let Some(own) = &self.own {
            let (name, patterns) = (own.name.clone(), Arc::clone(&own.patterns));
            if self.open.is_none() || !self.goes_on(line) {
                self.read(usize::MAX, &name, &patterns, line);
            }
            return false;
        }
        if self.open.is_none() || !self.goes_on(line) {
            self.begins(line, signed);
            if !line.is_empty() && !line.starts_with([' ', '\t']) {
                self.heading.clear();
                self.heading.push_str(cut(line, diagnostic::NAME_BYTES_MAX));
            }
        }
        signed.of_error()
    }

    fn begins(&mut self, line: &str, signed: Signed) {
        for at in signed.tables() {
            let table = &TABLES[at];
            let Some(patterns) = table.patterns() else { continue };
            if self.read(at, table.name, patterns, line) {
                self.found.tool.get_or_insert(table.name);
                return;
            }
        }
    }

    /// Ends the reading: what is open is all that there is of it.
    pub fn finish(mut self) -> Found {
        self.close();
        self.found.is_open = self.is_stopped || self.failed_at > self.passed_at;
        self.found
    }

    fn read(&mut self, at: usize, tool: &str, patterns: &Arc<Patterns>, line: &str) -> bool {
        let says = |it: &[Expression]| it.iter().any(|it| it.is_match(line));
        let mut is_its = false;
        let mut is_fine = false;
        let stops = says(&patterns.stops);
        self.is_stopped |= stops;
        if stops || says(&patterns.failed) {
            // A package's heading says least.
            let says_more = |it: &String| it.starts_with("# ");
            if self.found.failed.as_ref().is_none_or(says_more) {
                self.found.failed = Some(line.trim().to_owned());
            }
            self.failed_at = self.at;
            is_its = true;
        } else if says(&patterns.nothing) {
            self.found.nothing = true;
            is_its = true;
        } else if says(&patterns.last) {
            self.found.last = Some(line.trim().to_owned());
            self.failed_at = self.at;
            is_its = true;
        } else if says(&patterns.passed) {
            self.found.passed = true;
            self.passed_at = self.at;
            if !self.is_many {
                self.found.last = None;
            }
            is_its = true;
            is_fine = true;
        }
        for told in patterns.totals.iter().filter_map(|it| it.captures(line)) {
            let results = self.found.results.get_or_insert_default();
            add(results, &mut self.is_passed_told, &told);
            is_its = true;
        }
        if is_fine {
            return true;
        }
        for (number, row) in patterns.rows.iter().enumerate() {
            if row.after.as_ref().is_some_and(|it| it.is_match(line)) {
                self.begun.push((at, number));
            }
            let is_asked = row.after.is_none() || self.begun.contains(&(at, number));
            let skips = || row.skip.as_ref().is_some_and(|it| it.is_match(line));
            let Some(first) = row.lines.first().filter(|_| is_asked) else { continue };
            let Some(told) = first.captures(line).filter(|_| !skips()) else { continue };
            let mut open = Open::of(tool, patterns, number, row);
            match row.heading.as_ref().map(|it| it.captures(&self.heading)) {
                Some(None) => continue,
                Some(Some(above)) => open.take(&above),
                None => {}
            }
            open.take(&told);
            self.close();
            self.open = Some(open);
            if row.lines.len() == 1 && row.related.is_none() && row.join.is_none() {
                self.close();
            }
            return true;
        }
        is_its
    }

    /// Gives the line to what is open; false where it is none of its.
    fn goes_on(&mut self, line: &str) -> bool {
        let Some(open) = &mut self.open else { return false };
        let (patterns, row) = open.by();
        let Some(row) = patterns.rows.get(row) else { return false };
        if open.is_done {
            if row.related.as_ref().is_some_and(|it| it.is_match(line)) {
                if open.finding.related.len() < RELATED_MAX {
                    open.finding.related.push(line.trim().to_owned());
                }
                return true;
            }
            self.close();
            return false;
        }
        if let Some(joined) = row.join.as_ref().and_then(|it| it.captures(line))
            && open.part == 0
            && let (Some(name), Some(more)) = (&mut open.name, joined.name("name"))
        {
            name.push(' ');
            name.push_str(more);
            return true;
        }
        // Of a failed test not every line must be there.
        let last = if row.is_test { row.lines.len() } else { open.part + 2 };
        let parts = (open.part + 1..last.min(row.lines.len()))
            .find_map(|part| Some((part, row.lines[part].captures(line)?)));
        if let Some((part, told)) = parts {
            open.take(&told);
            (open.part, open.left) = (part, row.within + 1);
            if row.repeat && part + 1 == row.lines.len() {
                open.part = part - 1;
                self.failed_at = self.at;
                open.finding.clone().add_to(&mut self.found.findings);
            } else if part + 1 == row.lines.len() {
                open.is_done = true;
                if row.related.is_none() {
                    self.close();
                }
            }
            return true;
        }
        open.left = open.left.saturating_sub(1);
        if open.left == 0 || row.end.as_ref().is_some_and(|it| it.is_match(line)) {
            self.close();
        }
        false
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        let (patterns, row) = open.by();
        let Some(row) = patterns.rows.get(row) else { return };
        if row.is_test {
            self.add_failure(open);
            return;
        }
        let Open { finding, is_done, .. } = open;
        let alone = row.alone.as_deref() == Some(&finding.diagnostic.level);
        let is_told = is_done || alone && self.signs.as_ref().is_some_and(Signs::is_of_known);
        let is_summary = |it: &Expression| it.is_match(&finding.diagnostic.message);
        if is_told && !row.drop.iter().any(is_summary) {
            if finding.diagnostic.level == "error" {
                self.failed_at = self.at;
            }
            finding.add_to(&mut self.found.findings);
        }
    }

    fn add_failure(&mut self, open: Open) {
        let Some(made) = open.failure() else { return };
        self.failed_at = self.at;
        let is_same =
            |it: &TestFailure| it.test_name == made.test_name && it.test_file == made.test_file;
        if self.found.failures.iter().any(is_same) {
            return;
        }
        match self.found.failures.len() < FAILURES_MAX {
            true => self.found.failures.push(made),
            false => self.found.left_out += 1,
        }
    }
}

/// Whether there is a table of this name.
#[cfg(test)]
pub fn has_table(name: &str) -> bool {
    TABLES.iter().any(|it| it.name == name)
}
