//! `go test`.

use std::collections::BTreeMap;

use super::build::{Build, unbuilt};
use super::event::GoEvent;
use super::owners::Owners;
use super::package::{Ended, Package, percent};
use crate::event::{TestFailure, TestResults};
use crate::parse::test_report::OutputStream;
use crate::parse::test_report::counts::milliseconds;
use crate::parse::test_report::failures::Failures;
use crate::parse::test_report::limits::PENDING_MAX;
use crate::parse::test_report::output::RunnerOutput;
use crate::parse::test_report::parsed::Parsed;

/// Reads what `go test` prints, for people and with `-json`.
#[derive(Debug, Default)]
pub struct GoTest {
    results: TestResults,
    failures: Failures,
    /// Text names no package before its end; JSON always does.
    text: Package,
    packages: BTreeMap<String, Package>,
    build: Option<Build>,
    not_built: u64,
    /// Packages that were not built, as their last lines say; why may be told elsewhere, or nowhere.
    unbuilt: Vec<String>,
    /// Of each package: its time, its coverage.
    times: Vec<u64>,
    coverage: (f64, u32),
    owners: Owners,
    is_understood: bool,
}

impl RunnerOutput for GoTest {
    fn line(&mut self, _: OutputStream, line: &str) {
        if line.starts_with("{\"")
            && let Ok(event) = serde_json::from_str::<GoEvent>(line)
        {
            self.event(&event);
        } else {
            self.text(line);
        }
    }

    fn finish(mut self: Box<Self>) -> Parsed {
        self.end_build();
        self.end_unbuilt();
        let mut open = std::mem::take(&mut self.packages);
        if self.is_understood || self.text.is_open() {
            open.insert(String::new(), std::mem::take(&mut self.text));
        }
        for (name, mut package) in open {
            if package.is_open() {
                self.is_understood = true;
                let name = if name.is_empty() { "go test" } else { name.as_str() };
                package.end(name, Ended::NoTests, None, &mut self.results, &mut self.failures);
            }
        }
        self.owners.tell(&mut self.failures);
        let results = &mut self.results;
        if self.not_built > 0 {
            results.errors = Some(results.errors.unwrap_or(0).saturating_add(self.not_built));
        }
        results.total = [results.errors, results.skipped]
            .into_iter()
            .flatten()
            .fold(results.passed.saturating_add(results.failed), u64::saturating_add);
        // Packages run beside each other: only one's time is the whole.
        results.duration_ms = self.times.first().copied().filter(|_| self.times.len() == 1);
        let (sum, count) = self.coverage;
        results.coverage_percent =
            // go tells no total, and packages are not of one size.
            (count == 1).then(|| (sum * 10.0).round() / 10.0);
        Parsed {
            results: self.results,
            failures: self.failures,
            runtime_version: None,
            is_understood: self.is_understood || self.not_built > 0,
        }
    }
}

impl GoTest {
    fn event(&mut self, event: &GoEvent) {
        let Some(output) = &event.output else {
            let is_end = matches!(event.action.as_str(), "pass" | "fail" | "skip");
            if is_end && event.test.is_none() {
                self.packages.remove(&event.package);
            }
            return;
        };
        let line = output.trim_end_matches('\n');
        if event.action == "build-output" || event.package.is_empty() {
            return self.text(line);
        }
        if self.ended(line, Some(&event.package)) {
            return;
        }
        if self.packages.len() < PENDING_MAX || self.packages.contains_key(&event.package) {
            let package = self.packages.entry(event.package.clone()).or_default();
            package.line(event.test.as_deref(), line, &mut self.failures);
            self.owners.are(&event.package, &mut self.failures);
        }
    }

    fn text(&mut self, line: &str) {
        if let Some(build) = &mut self.build {
            if build.line(line) {
                return;
            }
            self.end_build();
        }
        if let Some(build) = Build::begin(line) {
            self.build = Some(build);
        } else if !self.ended(line, None) {
            self.text.line(None, line, &mut self.failures);
        }
    }

    fn end_build(&mut self) {
        if let Some(failure) = self.build.take().and_then(Build::finish) {
            self.failures.add(failure);
            self.not_built += 1;
        }
    }

    /// Packages whose compiler nobody heard.
    fn end_unbuilt(&mut self) {
        for name in std::mem::take(&mut self.unbuilt) {
            let told = |it: &TestFailure| it.test_name.trim_end_matches("_test") == name;
            if !self.failures.kept_mut().iter().any(told) {
                self.failures.add(unbuilt(&name));
                self.not_built += 1;
            }
        }
    }

    /// A package's last line: `ok  \texample.com/cart\t0.008s`, `FAIL\texample.com/cart [build failed]`.
    fn ended(&mut self, line: &str, package: Option<&str>) -> bool {
        let Some((word, rest)) = line.split_once('\t') else { return false };
        let (name, more) = rest.split_once(['\t', ' ']).unwrap_or((rest, ""));
        let ended = match word.trim_end() {
            "ok" if more.contains("[no tests to run]") => Ended::NoTests,
            "ok" => Ended::Ok,
            "FAIL" if more.contains("failed]") => Ended::NotBuilt,
            "FAIL" => Ended::Failed,
            "?" => Ended::NoTests,
            _ => return false,
        };
        self.is_understood = true;
        if ended == Ended::NotBuilt && self.unbuilt.len() < PENDING_MAX {
            self.unbuilt.push(name.to_owned());
        }
        let mut coverage = None;
        for part in more.split('\t') {
            if let Some(told) = part.strip_prefix("coverage: ") {
                coverage = percent(told);
            } else if let Some(took) = milliseconds(part) {
                self.times.truncate(1); // two are as good as many
                self.times.push(took);
            }
        }
        let mut taken = package.map(|it| self.packages.remove(it).unwrap_or_default());
        let read = taken.as_mut().unwrap_or(&mut self.text);
        let coverage = read.end(name, ended, coverage, &mut self.results, &mut self.failures);
        self.owners.are(name, &mut self.failures);
        if matches!(ended, Ended::Ok | Ended::Failed) {
            self.owners.ran(name);
        }
        if let Some(coverage) = coverage {
            self.coverage = (self.coverage.0 + coverage, self.coverage.1.saturating_add(1));
        }
        true
    }
}
