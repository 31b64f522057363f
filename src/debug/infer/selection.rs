//! Which of its tests a run was told to run.

use crate::parse::test_report::{TestReportReader, TestRunner};

/// Options that a word follows, and that choose no tests.
const HARMLESS: [&str; 26] = [
    "-p",
    "-c",
    "-o",
    "-n",
    "-W",
    "-r",
    "-j",
    "-F",
    "-Z",
    "-C",
    "--tb",
    "--maxfail",
    "--timeout",
    "--color",
    "--durations",
    "--config",
    "--jobs",
    "--profile",
    "--target",
    "--features",
    "--test-threads",
    "--rootdir",
    "-count",
    "-timeout",
    "--reporters",
    "--cov",
];
/// Options that choose tests, with the word that follows.
const CHOOSING: [&str; 18] = [
    "-k",
    "-m",
    "-t",
    "-run",
    "-E",
    "--deselect",
    "--ignore",
    "--package",
    "--test",
    "--bin",
    "--example",
    "--bench",
    "--skip",
    "--manifest-path",
    "--testNamePattern",
    "--exclude",
    "-skip",
    "--filter-expr",
];
/// Options that choose tests alone.
const FLAGS: [&str; 13] = [
    "--lf",
    "--last-failed",
    "--nf",
    "--lib",
    "--bins",
    "--doc",
    "--tests",
    "--examples",
    "--exact",
    "--ignored",
    "--onlyFailures",
    "--onlyChanged",
    "-short",
];
/// Of those, options whose word tests are named by.
const NAMING: [&str; 4] = ["-k", "-t", "-run", "--testNamePattern"];

/// Which of its tests a run was told to run. Two that are equal ran the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// `None`: the command names no runner that is understood, and stands for itself.
    runner: Option<TestRunner>,
    /// Paths, filters, packages; none: all.
    named: Vec<String>,
    /// Options that choose tests, each with its word.
    narrowed: Vec<(String, String)>,
}

impl Selection {
    /// Of a command line without what changes from one attempt to the next.
    pub fn of(normal: &str) -> Self {
        let is_runner = |part: &&str| TestReportReader::of(&[part]).runner().is_some();
        let Some(part) = normal.split(['\n', ';', '|', '&']).find(is_runner) else {
            let named = vec![normal.to_owned()];
            return Self { runner: None, named, narrowed: Vec::new() };
        };
        let runner = TestReportReader::of(&[part]).runner();
        let bare = |word: &'_ str| word.trim_matches(['"', '\'', '`', '(', ')']).to_owned();
        let words: Vec<String> = part.split_whitespace().map(bare).collect();
        let mut selection = Self { runner, named: Vec::new(), narrowed: Vec::new() };
        selection.read(&words[begin(runner, &words)..]);
        selection
    }

    fn read(&mut self, words: &[String]) {
        let cargo = matches!(self.runner, Some(TestRunner::CargoTest | TestRunner::Nextest));
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let (name, given) = match word.split_once('=') {
                Some((name, given)) if word.starts_with('-') => (name, Some(given)),
                _ => (word, None),
            };
            let chooses = CHOOSING.contains(&name) || cargo && name == "-p";
            if chooses {
                let given = given.or_else(|| words.next()).unwrap_or_default();
                self.narrowed.push((name.to_owned(), given.to_owned()));
            } else if FLAGS.contains(&name) {
                self.narrowed.push((name.to_owned(), String::new()));
            } else if HARMLESS.contains(&name) && given.is_none() {
                words.next();
            } else if !word.starts_with('-') {
                let word = word.strip_prefix("./").unwrap_or(word).trim_end_matches('/');
                self.named.push(word.to_owned());
            }
        }
        self.named.retain(|word| !["", ".", "..."].contains(&word.as_str()));
        self.named.sort();
        self.narrowed.sort();
    }

    /// Whether it runs a test, which failed in a run of `failed`.
    pub fn covers(&self, test: &str, file: Option<&str>, failed: &Self) -> bool {
        if self == failed {
            return true;
        }
        if self.runner.is_none() {
            return false;
        }
        let admits = |it: &(String, String)| {
            let name = it.1.trim_matches(['^', '$']);
            let names = NAMING.contains(&it.0.as_str()) && !name.is_empty() && test.contains(name);
            names || failed.narrowed.contains(it)
        };
        let matches = |named: &String| match self.runner {
            Some(TestRunner::Pytest) => is_below(named, test),
            Some(TestRunner::CargoTest | TestRunner::Nextest | TestRunner::Unittest) => {
                test.contains(named.as_str())
            }
            _ => {
                let named = named.trim_end_matches("...").trim_end_matches('/');
                test.contains(named) || file.is_some_and(|file| file.contains(named))
            }
        };
        self.narrowed.iter().all(admits)
            && (self.named.is_empty() || self.named.iter().any(matches))
    }
}

/// Where the words begin that the runner is told.
fn begin(runner: Option<TestRunner>, words: &[String]) -> usize {
    let at = |names: &[&str]| {
        let named = |word: &String| names.contains(&word.rsplit('/').next().unwrap_or_default());
        words.iter().position(named).map_or(words.len(), |at| at + 1)
    };
    let verb = |names: &[&str], from: usize| {
        let found = words[from..].iter().position(|word| names.contains(&word.as_str()));
        found.map_or(from, |at| from + at + 1)
    };
    match runner {
        Some(TestRunner::Pytest) => at(&["pytest", "py.test"]),
        Some(TestRunner::Jest) => at(&["jest", "jest.js"]),
        Some(TestRunner::GoTest) => verb(&["test"], at(&["go"])),
        Some(TestRunner::Nextest) => {
            verb(&["run", "r"], verb(&["nextest"], at(&["cargo", "cargo-nextest"])))
        }
        Some(TestRunner::CargoTest) => verb(&["test", "t"], at(&["cargo"])),
        Some(TestRunner::Unittest) => at(&["unittest"]),
        Some(TestRunner::NodeTest) => verb(&["--test"], at(&["node"])),
        None => words.len(),
    }
}

/// Whether a test of pytest lies below a path, which either may tell from a folder further out.
fn is_below(path: &str, test: &str) -> bool {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['/', ':', '[']);
    let mut places = test.match_indices(path);
    places.any(|(at, _)| (at == 0 || test[..at].ends_with('/')) && ends(&test[at + path.len()..]))
}
