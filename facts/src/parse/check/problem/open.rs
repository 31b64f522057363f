//! A problem, or a failed test, of which lines are still to come.

use std::sync::Arc;

use super::expression::Captures;
use super::table::{Patterns, Row};
use crate::event::{ErrorType, TestFailure, TestResults};
use crate::parse::check::diagnostic::{self, Diagnostic, Finding, cut};
use crate::parse::check::runner::failures::{
    MESSAGE_BYTES, NAME_BYTES, by_message, by_name, failure, named,
};

#[derive(Debug)]
pub struct Open {
    patterns: Arc<Patterns>,
    row: usize,
    pub part: usize,
    pub left: usize,
    pub finding: Finding,
    pub name: Option<String>,
    pub is_done: bool,
}

impl Open {
    /// By a row of what `tool` prints.
    pub fn of(tool: &str, patterns: &Arc<Patterns>, number: usize, row: &Row) -> Self {
        let diagnostic = Diagnostic {
            level: row.level.clone().unwrap_or_else(|| "error".to_owned()),
            message: row.message.clone().unwrap_or_default(),
            file_name: None,
            line_start: None,
            code: None,
        };
        let (tool, related) = (tool.to_owned(), Vec::new());
        Self {
            patterns: Arc::clone(patterns),
            row: number,
            part: 0,
            left: row.within + 1,
            finding: Finding { tool, column: None, related, diagnostic },
            name: None,
            is_done: row.lines.len() == 1,
        }
    }

    /// The patterns of it, and which of them it is by.
    pub fn by(&self) -> (Arc<Patterns>, usize) {
        (Arc::clone(&self.patterns), self.row)
    }

    /// Takes what a line's groups tell.
    pub fn take(&mut self, told: &Captures<'_>) {
        let group = |name: &str| told.name(name).map(str::trim);
        let of = &mut self.finding.diagnostic;
        // `3`, `3,14`, `3,14,3,20`
        let mut location = group("location").into_iter().flat_map(|it| it.split(','));
        let line = location.next().or_else(|| group("line"));
        let column = location.next().or_else(|| group("column"));
        if let Some(file) = group("file").or_else(|| group("at")).filter(|it| !it.is_empty()) {
            of.file_name = Some(file.strip_prefix("./").unwrap_or(file).to_owned());
        }
        if let Some(line) = line {
            of.line_start = line.parse().ok(); // too many digits for a line
        }
        if let Some(column) = column {
            self.finding.column = column.parse().ok(); // too many digits for a column
        }
        if let Some(level) = group("level") {
            of.level = diagnostic::level(level).to_owned();
        }
        if let Some(code) = group("code") {
            of.code = Some(code.to_owned());
        }
        if let Some(message) = group("message") {
            of.message = message.to_owned();
        }
        if let Some(name) = group("name") {
            self.name = Some(name.to_owned());
        }
    }

    /// The failed test that it was.
    pub fn failure(self) -> Option<TestFailure> {
        let Diagnostic { file_name, line_start, message, .. } = self.finding.diagnostic;
        let name = self.name.or_else(|| file_name.clone())?;
        let said = if message.is_empty() { "failed" } else { cut(&message, MESSAGE_BYTES) };
        let by_name = || named(said).map_or(ErrorType::AssertionError, |(name, _)| by_name(name));
        let error_type = by_message(said).unwrap_or_else(by_name);
        Some(TestFailure {
            test_file: file_name,
            test_line: line_start.map(i64::from),
            ..failure(cut(&name, NAME_BYTES), error_type, said)
        })
    }
}

/// Puts the counts of a line into the totals. `is_passed_told`: a line said how many passed; else they are what is left
/// of all.
pub fn add(results: &mut TestResults, is_passed_told: &mut bool, told: &Captures<'_>) {
    let count = |name: &str| told.name(name).and_then(|it| it.parse::<u32>().ok());
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
    *is_passed_told |= told.name("passed").is_some();
    if !*is_passed_told && results.total > gone {
        results.passed = results.total - gone;
    }
    results.total = results.total.max(results.passed + gone);
}
