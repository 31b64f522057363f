//! `go test`.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::package::{Ended, Package, percent};
use super::{Build, unbuilt};
use crate::event::TestFailure;
use crate::parse::check::runner::failures::{FAILURES_MAX, Failures, PENDING_MAX};
use crate::parse::check::runner::text::milliseconds;
use crate::parse::check::runner::{OutputStream, Parsed, RunnerOutput, total};

#[derive(Debug, Default)]
pub struct GoTest {
    parsed: Parsed,
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
        let mut open: Vec<_> = std::mem::take(&mut self.packages).into_iter().collect();
        open.push((String::new(), std::mem::take(&mut self.text)));
        for (name, mut package) in open {
            if package.is_open() {
                self.parsed.is_understood = true;
                let shown = if name.is_empty() { "go test" } else { name.as_str() };
                package.end(
                    shown,
                    Ended::NoTests,
                    None,
                    &mut self.parsed.results,
                    &mut self.parsed.failures,
                );
                if !name.is_empty() {
                    self.owners.are(&name, &mut self.parsed.failures);
                }
            }
        }
        self.owners.tell(&mut self.parsed.failures);
        let results = &mut self.parsed.results;
        if self.not_built > 0 {
            results.errors = Some(results.errors.unwrap_or(0).saturating_add(self.not_built));
        }
        results.total = total(results);
        // Packages run beside each other: only one's time is the whole.
        results.duration_ms = self.times.first().copied().filter(|_| self.times.len() == 1);
        let (sum, count) = self.coverage;
        results.coverage_percent =
            // go tells no total, and packages are not of one size.
            (count == 1).then(|| (sum * 10.0).round() / 10.0);
        self.parsed.is_understood |= self.not_built > 0;
        self.parsed
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
            package.line(event.test.as_deref(), line);
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
            self.text.line(None, line);
        }
    }

    fn end_build(&mut self) {
        if let Some(failure) = self.build.take().and_then(Build::finish) {
            self.parsed.failures.add(failure);
            self.not_built += 1;
        }
    }

    /// Packages whose compiler nobody heard.
    fn end_unbuilt(&mut self) {
        for name in std::mem::take(&mut self.unbuilt) {
            let told = |it: &TestFailure| it.test_name.trim_end_matches("_test") == name;
            if !self.parsed.failures.kept_mut().iter().any(told) {
                self.parsed.failures.add(unbuilt(&name));
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
        self.parsed.is_understood = true;
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
        let coverage =
            read.end(name, ended, coverage, &mut self.parsed.results, &mut self.parsed.failures);
        self.owners.are(name, &mut self.parsed.failures);
        if matches!(ended, Ended::Ok | Ended::Failed) {
            self.owners.ran(name);
        }
        if let Some(coverage) = coverage {
            self.coverage = (self.coverage.0 + coverage, self.coverage.1.saturating_add(1));
        }
        true
    }
}

/// Which package each failure is of: go prints files without their folders, and tests without their
/// packages.
#[derive(Debug, Default)]
pub struct Owners {
    /// Of each failure that is kept.
    owners: Vec<String>,
    /// Packages that had tests, at most as many as are told of.
    ran: Vec<String>,
}

impl Owners {
    pub fn are(&mut self, package: &str, failures: &mut Failures) {
        let len = failures.kept_mut().len();
        if len > self.owners.len() {
            self.owners.resize(len, package.to_owned());
        }
    }

    pub fn ran(&mut self, package: &str) {
        if self.ran.len() < FAILURES_MAX {
            self.ran.push(package.to_owned());
        }
    }

    /// Puts the packages' folders before the files, and the packages before the names where several ran.
    pub fn tell(&self, failures: &mut Failures) {
        let shortest = self.ran.iter().min_by_key(|it| it.len());
        let is_root = |root: &&String| self.ran.iter().all(|it| folder(root, it).is_some());
        let root = shortest.filter(is_root).filter(|_| self.ran.len() > 1);
        for (failure, owner) in failures.kept_mut().iter_mut().zip(&self.owners) {
            if let Some(folder) = root.and_then(|root| folder(root, owner)) {
                let source = failure.source_location.as_mut().and_then(|it| it.file.as_mut());
                source.into_iter().chain(&mut failure.test_file).for_each(|it| below(folder, it));
            }
            // The name of a package that could not be run is its own.
            if self.ran.len() > 1 && is_test(&failure.test_name) && failure.test_name != *owner {
                failure.test_name = format!("{owner}.{}", failure.test_name);
            }
        }
    }
}

/// Whether a name is a test's, with its package before it or without.
pub fn is_test(name: &str) -> bool {
    let words = ["Test", "Fuzz", "Example", "Benchmark"];
    words.iter().any(|it| name.starts_with(it) || name.contains(&format!(".{it}")))
}

/// A package's folder below the root package's: `sub`, of the root itself nothing.
fn folder<'a>(root: &str, package: &'a str) -> Option<&'a str> {
    let rest = package.strip_prefix(root)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// `s_test.go` → `sub/s_test.go`, `/a/sub/s_test.go` → the same.
fn below(folder: &str, file: &mut String) {
    let (before, name) = file.rsplit_once('/').unwrap_or(("", file));
    let is_there = before.is_empty()
        || file.starts_with('/') && !folder.is_empty() && before.ends_with(&format!("/{folder}"));
    if is_there && !folder.is_empty() {
        *file = format!("{folder}/{name}");
    }
}

/// A line of `go test -json`, as much of it as is looked at.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct GoEvent {
    pub action: String,
    #[serde(default)]
    pub package: String,
    pub test: Option<String>,
    pub output: Option<String>,
}
