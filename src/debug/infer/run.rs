//! A run of tests that an agent's session has.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::bookmark::execution_id;
use super::{OUTPUT_BYTES_MAX, placed};
use crate::event::{Closing, Content, ExecutionId, Outcome};
use crate::execution::replay::Contents;
use crate::parse::check::runner::{OutputStream, TestReport, TestReportReader, TestRunner};

/// The shell's codes for a program that is not there, or may not be run.
const NOT_FOUND: [i32; 2] = [126, 127];

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    #[serde(with = "execution_id")]
    pub execution: ExecutionId,
    pub at_ms: u64,
    pub report: TestReport,
    /// What ran the tests, without what changes from one attempt to the next.
    pub command: String,
    pub folder: PathBuf,
    pub selection: Selection,
}

impl Run {
    /// What a command's recorded output says of the tests; `None` where it says nothing, or nothing ran.
    pub fn of(
        execution: ExecutionId,
        at_ms: u64,
        command: &str,
        folder: &Path,
        root: &Path,
        closing: &Closing,
        contents: &Contents,
    ) -> Option<Self> {
        let has_failed = match closing.outcome {
            Outcome::Ok => false,
            Outcome::Failed => true,
            Outcome::Refused | Outcome::Interrupted => return None,
        };
        let mut reader = TestReportReader::of(&[command]).in_folder(folder);
        let named = reader.runner().is_some();
        for (stream, content) in
            [(OutputStream::Stdout, &closing.stdout), (OutputStream::Stderr, &closing.stderr)]
        {
            if let Some(content) = content {
                feed(&mut reader, stream, content, contents);
            }
        }
        // Transcripts tell of a failure, and not always the number that it ended with.
        let code = closing.exit_code.unwrap_or(i32::from(has_failed));
        let mut report = reader.finish(Some(code), closing.duration_ms);
        if !report.is_understood && (NOT_FOUND.contains(&code) || has_no_runner(&report)) {
            return None;
        }
        for failure in &mut report.failures {
            let source = failure.source_location.as_mut().and_then(|it| it.file.as_mut());
            for file in source.into_iter().chain(&mut failure.test_file) {
                *file = placed(root, file, folder);
            }
        }
        // A pipe that shortens the output to nothing leaves a success that nobody saw.
        let (selection, folder) = (Selection::of(command), folder.to_owned());
        let command = command.to_owned();
        let run = Self { execution, at_ms, report, command, folder, selection };
        let is_seen = run.report.is_understood || named && has_failed;
        (is_seen && (run.is_passed() || run.has_failed())).then_some(run)
    }

    pub fn is_passed(&self) -> bool {
        self.report.results.is_passed() && self.report.results.passed > 0
    }

    pub fn runner(&self) -> &str {
        self.report.environment.test_framework.as_deref().unwrap_or(&self.command)
    }

    /// Whether something kept every test from running: a build that failed.
    pub fn ran_none(&self) -> bool {
        let (results, runtime) = (&self.report.results, &self.report.environment.runtime);
        let is_built = matches!(runtime.as_deref(), Some("rust" | "go"));
        let none = results.passed == 0 && results.failed == 0;
        !self.report.is_understood || is_built && none
    }

    pub fn has_failed(&self) -> bool {
        !self.report.results.is_passed()
    }
}

/// Whether what was to run the tests is not there, and nothing was tried therefore.
fn has_no_runner(report: &TestReport) -> bool {
    const SAY: [&str; 6] = [
        "No module named pytest",
        "No module named 'pytest'",
        "command not found",
        ": not found",
        "no such command: `nextest`",
        "could not determine executable to run",
    ];
    let texts = report.failures.iter().map(|it| (&it.error_message, &it.stack_trace));
    let mut texts = texts.flat_map(|(message, trace)| [Some(message), trace.as_ref()]).flatten();
    texts.any(|text| SAY.iter().any(|say| text.contains(say)))
}

fn feed(
    reader: &mut TestReportReader,
    stream: OutputStream,
    content: &Content,
    contents: &Contents,
) {
    let brought = contents.bring(content);
    for bytes in [brought.bytes.as_deref(), brought.tail].into_iter().flatten() {
        reader.feed(stream, &bytes[..bytes.len().min(OUTPUT_BYTES_MAX)]);
    }
}

/// Options that a word follows, and that choose no tests.
const HARMLESS: &str = "-p -c -o -n -W -r -j -F -Z -C --tb --maxfail --timeout --color --durations --config \
    --jobs --profile --target --features --test-threads --rootdir -count -timeout \
    --reporters --cov";
/// Options that choose tests, with the word that follows.
const CHOOSING: &str = "-k -m -t -run -E --deselect --ignore --package --test --bin --example --bench --skip \
    --manifest-path --testNamePattern --exclude -skip --filter-expr";
/// Options that choose tests alone.
const FLAGS: &str = "--lf --last-failed --nf --lib --bins --doc --tests --examples --exact --ignored \
    --onlyFailures --onlyChanged -short";
/// Of those, options whose word tests are named by.
const NAMING: [&str; 4] = ["-k", "-t", "-run", "--testNamePattern"];

/// Which of its tests a run was told to run. Two that are equal ran the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
            let chooses = has(CHOOSING, name) || cargo && name == "-p";
            if chooses {
                let given = given.or_else(|| words.next()).unwrap_or_default();
                self.narrowed.push((name.to_owned(), given.to_owned()));
            } else if has(FLAGS, name) {
                self.narrowed.push((name.to_owned(), String::new()));
            } else if has(HARMLESS, name) && given.is_none() {
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

fn has(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|it| it == word)
}

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
        Some(TestRunner::Tap) | None => words.len(),
    }
}

/// Whether a test of pytest lies below a path, which either may tell from a folder further out.
fn is_below(path: &str, test: &str) -> bool {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(['/', ':', '[']);
    let mut places = test.match_indices(path);
    places.any(|(at, _)| (at == 0 || test[..at].ends_with('/')) && ends(&test[at + path.len()..]))
}
