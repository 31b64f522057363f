//! jest.

use serde::Deserialize;

use super::Block;
use crate::parse::check::runner::text::{counts, milliseconds};
use crate::parse::check::runner::{OutputStream, Parsed, RunnerOutput};

/// Reads what jest prints, for people and with `--json`.
#[derive(Debug, Default)]
pub struct Jest {
    parsed: Parsed,
    block: Option<Block>,
    /// The stream that tells of it.
    from: Option<OutputStream>,
    /// The file whose tests are told of.
    file: Option<String>,
    broken: u64,
    /// The failures are told again.
    is_again: bool,
    json: Option<Box<JestJson>>,
}

impl RunnerOutput for Jest {
    fn line(&mut self, from: OutputStream, line: &str) {
        if line.starts_with("{\"numFailed") {
            // A report that is cut short is no JSON: what is printed for people tells the same.
            self.json = serde_json::from_str(line).ok();
        } else if let Some(name) = line.strip_prefix("  ● ") {
            self.begin(name.trim());
            self.from = Some(from);
        } else if let Some(file) = headed(line) {
            self.end_block();
            self.file = Some(file.to_owned());
        } else if let Some(told) = line.strip_prefix("Tests: ") {
            self.end_block();
            self.totals(told.trim());
        } else if line.starts_with("Test Suites: ") || line.starts_with("Summary of all failing") {
            self.end_block();
            self.is_again = true;
        } else if let Some(took) = line.strip_prefix("Time: ").filter(|_| self.parsed.is_understood)
        {
            let took = took.trim().split(',').next().and_then(milliseconds);
            self.parsed.results.duration_ms = took.or(self.parsed.results.duration_ms);
        } else if let Some(rest) = line.strip_prefix("All files") {
            let percent = rest.split('|').nth(1).and_then(|it| it.trim().parse().ok()); // none: no table
            self.parsed.results.coverage_percent = percent.or(self.parsed.results.coverage_percent);
        } else if let Some(block) = self.block.as_mut().filter(|_| self.from == Some(from)) {
            block.line(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_block();
        if let Some(json) = self.json.take() {
            self.take_json(*json);
        }
        if self.broken > 0 && self.parsed.is_understood {
            self.parsed.results.errors = Some(self.broken);
        }
        if !self.parsed.is_understood && !self.parsed.failures.is_empty() {
            // It was ended before it could sum up.
            self.parsed.is_understood = true;
            self.parsed.results.failed = self.parsed.failures.count();
            self.parsed.results.total = self.parsed.results.failed;
        }
        self.parsed
    }
}

impl Jest {
    fn begin(&mut self, name: &str) {
        self.end_block();
        let file = self.file.clone();
        self.block = match name {
            "Console" => None,
            "Test suite failed to run" => Some(Block::new(file, None)),
            _ => Some(Block::new(file, Some(name))),
        };
        self.block = self.block.take().filter(|_| !self.is_again);
    }

    fn end_block(&mut self) {
        let Some(block) = self.block.take() else { return };
        let failure = block.finish();
        if Some(&failure.test_name) == failure.test_file.as_ref() {
            self.broken += 1;
        }
        self.parsed.failures.add(failure);
    }

    /// `9 failed, 1 skipped, 1 todo, 2 passed, 13 total`.
    fn totals(&mut self, told: &str) {
        let Some(told) = counts(told) else { return };
        self.parsed.is_understood = true;
        let mut skipped = 0_u64;
        for (word, count) in told {
            match word {
                "failed" => self.parsed.results.failed = count,
                "passed" => self.parsed.results.passed = count,
                "skipped" | "todo" => skipped = skipped.saturating_add(count),
                "total" => self.parsed.results.total = count,
                _ => {}
            }
        }
        self.parsed.results.skipped = Some(skipped).filter(|it| *it > 0);
    }

    fn take_json(&mut self, json: JestJson) {
        self.parsed.is_understood = true;
        let skipped = json.num_pending_tests.saturating_add(json.num_todo_tests);
        let results = &mut self.parsed.results;
        results.failed = json.num_failed_tests;
        results.passed = json.num_passed_tests;
        results.total = json.num_total_tests;
        results.skipped = Some(skipped).filter(|it| *it > 0);
        self.is_again = false;
        if self.parsed.failures.is_empty() {
            for file in json.test_results {
                self.file = Some(file.name).filter(|it| !it.is_empty());
                for line in file.message.lines() {
                    match line.strip_prefix("  ● ") {
                        Some(name) => self.begin(name.trim()),
                        None => {
                            if let Some(block) = &mut self.block {
                                block.line(line);
                            }
                        }
                    }
                }
                self.end_block();
            }
        }
        self.broken = json.num_runtime_error_test_suites;
    }
}

/// `FAIL test/cart.test.js (5.2 s)`, `PASS  web  test/ok.test.js` → the file.
fn headed(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.strip_prefix("FAIL ").or_else(|| line.strip_prefix("PASS "))?;
    let rest = rest.trim();
    let rest = match rest.rsplit_once(" (") {
        Some((file, took)) if took.ends_with("s)") => file,
        _ => rest,
    };
    rest.split_whitespace().last().filter(|it| it.contains('.'))
}

/// As much of the report as is looked at; `message` is what jest prints for people.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JestJson {
    pub num_failed_tests: u64,
    pub num_passed_tests: u64,
    #[serde(default)]
    pub num_pending_tests: u64,
    #[serde(default)]
    pub num_todo_tests: u64,
    #[serde(default)]
    pub num_runtime_error_test_suites: u64,
    pub num_total_tests: u64,
    #[serde(default)]
    pub test_results: Vec<JestFile>,
}

#[derive(Debug, Deserialize)]
pub struct JestFile {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub message: String,
}
