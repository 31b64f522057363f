//! Problem matchers, in the manner of editors: lines of compilers, linters and runners, read by tables.

mod declared;
mod open;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use regex::{Captures, Regex};

use super::diagnostic::{self, Finding, cut};
use super::runner::failures::FAILURES_MAX;
use crate::event::{TestFailure, TestResults};
use crate::parse::has_word;
use open::Open;
use table::{ANY, Patterns, TABLES};

pub use table::Table;

/// Lines longer than this are no tool's own.
const LINE_BYTES_MAX: usize = 8 << 10;
const RELATED_MAX: usize = 8;

/// Reads one stream's lines by the tables of the programs that print to it.
#[derive(Debug, Default)]
pub struct Matcher {
    /// Those of known programs; none: all.
    tables: Vec<Arc<Table>>,
    /// The project's own, asked where no other reads a line.
    own: Vec<Arc<Table>>,
    programs: Vec<String>,
    /// The last line that began at the margin.
    heading: String,
    open: Option<Open>,
    /// Rows of which the line that must stand before them was seen.
    begun: Vec<(usize, usize)>,
    pub found: Found,
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
    /// Whose lines were understood first.
    pub tool: Option<String>,
}

impl Matcher {
    /// For what these programs print; none: any. `own` are the project's own tables.
    pub fn of(programs: &[String], own: &[Arc<Table>]) -> Self {
        let reads = |table: &&Arc<Table>| programs.iter().any(|it| table.reads(it));
        let tables = TABLES.iter().filter(reads).cloned().collect();
        let is_any = |table: &&Arc<Table>| programs.is_empty() || reads(table);
        let own = own.iter().filter(is_any).cloned().collect();
        Self { tables, own, programs: programs.to_vec(), ..Self::default() }
    }

    pub fn line(&mut self, line: &str) {
        if line.len() > LINE_BYTES_MAX {
            return;
        }
        if self.open.is_some() && self.goes_on(line) {
            return;
        }
        let all = self.tables.is_empty();
        let is_read = (!all || ANY.as_ref().is_some_and(|any| any.is_match(line)))
            && (0..if all { TABLES.len() } else { self.tables.len() }).any(|at| {
                let table = if all { &TABLES[at] } else { &self.tables[at] };
                if !table.has_sign(line) {
                    return false;
                }
                let table = table.clone();
                self.read(at, &table, line)
            });
        // What is open, or read, is never a project's own table's.
        let is_free = !is_read && self.open.as_ref().is_none_or(|it| it.table.is_own);
        if is_free && !line.is_empty() {
            let own = self.own.clone();
            let mut tables = own.iter().zip(TABLES.len()..);
            tables.any(|(table, at)| self.read(at, table, line));
        }
        if !line.is_empty() && !line.starts_with([' ', '\t']) {
            self.heading.clear();
            self.heading.push_str(cut(line, diagnostic::NAME_BYTES_MAX));
        }
    }

    /// Ends the reading: what is open is all that there is of it.
    pub fn finish(mut self) -> Found {
        self.close();
        self.found
    }

    fn read(&mut self, at: usize, table: &Arc<Table>, line: &str) -> bool {
        let Some(patterns) = table.patterns() else { return false };
        let is_its = self.read_by(at, table, patterns, line);
        if is_its {
            self.found.tool.get_or_insert_with(|| table.name.clone());
        }
        is_its
    }

    fn read_by(&mut self, at: usize, table: &Arc<Table>, patterns: &Patterns, line: &str) -> bool {
        let says = |it: &Option<Regex>| it.as_ref().is_some_and(|it| it.is_match(line));
        let mut is_its = false;
        if says(&patterns.failed) {
            self.found.failed.get_or_insert_with(|| line.trim().to_owned());
            is_its = true;
        } else if says(&patterns.nothing) {
            self.found.nothing = true;
            is_its = true;
        } else if says(&patterns.last) {
            self.found.last = Some(line.trim().to_owned());
            is_its = true;
        } else if says(&patterns.passed) {
            self.found.passed = true;
            self.found.last = None;
            is_its = true;
        }
        for told in patterns.totals.iter().filter_map(|it| it.captures(line)) {
            add(self.found.results.get_or_insert_default(), &told);
            is_its = true;
        }
        for (number, row) in patterns.rows.iter().enumerate() {
            if row.after.as_ref().is_some_and(|it| it.is_match(line)) {
                self.begun.push((at, number));
            }
            let is_asked = row.after.is_none() || self.begun.contains(&(at, number));
            let is_called = row.only.as_ref().is_none_or(|only| {
                !self.programs.is_empty() && self.programs.iter().all(|it| has_word(only, it))
            });
            let skips = || row.skip.as_ref().is_some_and(|it| it.is_match(line));
            let Some(first) = row.lines.first().filter(|_| is_asked && is_called) else { continue };
            let Some(told) = first.captures(line).filter(|_| !skips()) else { continue };
            let mut open = Open::of(table, number, row);
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
        let table = open.table.clone();
        let Some(row) = table.patterns().and_then(|it| it.rows.get(open.row)) else {
            return false;
        };
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
            name.push_str(more.as_str());
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
        let table = open.table.clone();
        let Some(row) = table.patterns().and_then(|it| it.rows.get(open.row)) else { return };
        if row.is_test {
            self.add_failure(open);
            return;
        }
        let Open { finding, is_done, .. } = open;
        let alone = row.alone.as_deref() == Some(&finding.diagnostic.level);
        let is_told = is_done || alone && !self.tables.is_empty();
        let is_summary = |it: &Regex| it.is_match(&finding.diagnostic.message);
        if is_told && !row.drop.as_ref().is_some_and(is_summary) {
            finding.add_to(&mut self.found.findings);
        }
    }

    fn add_failure(&mut self, open: Open) {
        let Some(made) = open.failure() else { return };
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

/// Puts the counts of a line into the totals.
fn add(results: &mut TestResults, told: &Captures<'_>) {
    let count = |name: &str| told.name(name).and_then(|it| it.as_str().parse::<u32>().ok());
    let fields = [
        ("total", &mut results.total),
        ("passed", &mut results.passed),
        ("failed", &mut results.failed),
    ];
    for (name, field) in fields {
        *field = count(name).map_or(*field, u64::from);
    }
    results.errors = count("errors").map(u64::from).filter(|it| *it > 0).or(results.errors);
    results.skipped = count("skipped").map(u64::from).filter(|it| *it > 0).or(results.skipped);
    let gone = results.failed + results.errors.unwrap_or(0) + results.skipped.unwrap_or(0);
    if told.name("passed").is_none() && results.total > gone {
        results.passed = results.total - gone;
    }
    results.total = results.total.max(results.passed + gone);
}
