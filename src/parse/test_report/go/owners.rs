//! Which package a failure is of.

use crate::event::TestFailure;
use crate::parse::test_report::failures::Failures;
use crate::parse::test_report::limits::FAILURES_MAX;

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
    /// The failures since the last call are this package's.
    pub fn are(&mut self, package: &str, failures: &mut Failures) {
        self.owners.resize(failures.kept_mut().len(), package.to_owned());
    }

    /// A package's tests ran.
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
            if self.ran.len() > 1 && is_test(failure) && failure.test_name != *owner {
                failure.test_name = format!("{owner}.{}", failure.test_name);
            }
        }
    }
}

fn is_test(failure: &TestFailure) -> bool {
    let words = ["Test", "Fuzz", "Example", "Benchmark"];
    words.iter().any(|it| failure.test_name.starts_with(it))
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
