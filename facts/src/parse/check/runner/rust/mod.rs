//! What Rust's test harness prints, alone (`cargo test`) and under nextest.

mod block;
mod cargo;
mod harness;
mod nextest;
mod panic;

use std::collections::BTreeSet;

use crate::event::{ErrorType, TestFailure, TestResults};
use crate::parse::check::runner::failures::{Frame, STACK_BYTES, failure};
use crate::parse::check::runner::text::{KeptText, counts, milliseconds};
use crate::parse::check::runner::{place, total};

pub use cargo::CargoTest;
pub use nextest::Nextest;

/// The compiler's errors: they are one failure, since no test ran.
#[derive(Debug)]
pub struct Build {
    /// The first error's code and message.
    first: Option<(Option<String>, String)>,
    place: Option<Frame>,
    errors: u64,
    rendered: KeptText,
    is_open: bool,
    has_failed: bool,
}

impl Default for Build {
    fn default() -> Self {
        Self {
            first: None,
            place: None,
            errors: 0,
            rendered: KeptText::new(STACK_BYTES),
            is_open: false,
            has_failed: false,
        }
    }
}

impl Build {
    pub fn line(&mut self, line: &str) {
        if line.starts_with("error: could not compile") {
            self.has_failed = true;
            self.is_open = false;
        } else if let Some(rest) = line.strip_prefix("error") {
            let told = match rest.strip_prefix('[').and_then(|it| it.split_once("]: ")) {
                Some((code, message)) => Some((Some(code.to_owned()), message)),
                None => rest.strip_prefix(": ").map(|message| (None, message)),
            };
            let Some((code, message)) = told else { return };
            if message.starts_with("aborting due to") || message.starts_with("command `") {
                self.is_open = false;
                return;
            }
            self.errors += 1;
            self.first.get_or_insert_with(|| (code, message.to_owned()));
            self.is_open = true;
            self.rendered.line(line);
        } else if self.is_open {
            self.is_open =
                line.starts_with(' ') || line.starts_with(|it: char| it.is_ascii_digit());
            self.rendered.line(if self.is_open { line } else { "" });
            if let Some(at) = line.trim_start().strip_prefix("--> ")
                && self.place.is_none()
            {
                self.place = place(at).map(|(file, line, _)| Frame::new(None, file, line));
            }
        }
    }

    pub fn finish(self) -> Option<TestFailure> {
        let (code, message) = self.first.filter(|_| self.has_failed)?;
        let error_type = match code.as_deref() {
            None => ErrorType::SyntaxError,
            Some("E0308" | "E0277" | "E0061" | "E0271" | "E0369" | "E0282") => ErrorType::TypeError,
            Some("E0425" | "E0433" | "E0432" | "E0412" | "E0599" | "E0405" | "E0609" | "E0423") => {
                ErrorType::ReferenceError
            }
            Some(_) => ErrorType::Other,
        };
        let code = code.map_or_else(String::new, |code| format!("[{code}]"));
        Some(TestFailure {
            stack_trace: self.rendered.finish(),
            source_location: self.place.as_ref().map(Frame::location),
            ..failure("build", error_type, &format!("error{code}: {message}"))
        })
    }
}

/// What follows `failures:`, as long as it may be the harness's list of the tests that failed: their names,
/// a blank line, and then the totals.
#[derive(Debug)]
pub struct List {
    names: Vec<String>,
    count: u64,
    is_closed: bool,
    /// As it was printed: it may be a test's own.
    text: KeptText,
}

impl Default for List {
    fn default() -> Self {
        let mut text = KeptText::new(STACK_BYTES);
        text.line("failures:");
        Self { names: Vec::new(), count: 0, is_closed: false, text }
    }
}

impl List {
    /// Takes the next line; false where it is none of a list's.
    pub fn line(&mut self, line: &str) -> bool {
        if self.is_closed {
            return false;
        }
        if let Some(name) = line.strip_prefix("    ") {
            self.count += 1;
            if self.names.len() < NAMES_MAX {
                self.names.push(name.trim().to_owned());
            }
        } else if line.is_empty() && self.count > 0 {
            self.is_closed = true;
        } else {
            return false;
        }
        self.text.line(line);
        true
    }

    /// Whether it names so many, and is at its end.
    pub fn has(&self, failed: u64) -> bool {
        self.is_closed && self.count == failed
    }

    /// Whether these are all names that it has.
    pub fn is_among(&self, names: &BTreeSet<String>) -> bool {
        self.names.iter().all(|it| names.contains(it))
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn into_names(self) -> Option<Vec<String>> {
        (self.names.len() as u64 == self.count).then_some(self.names)
    }

    pub fn into_text(self) -> String {
        self.text.finish().unwrap_or_default()
    }
}

#[derive(Debug, Default)]
pub struct Run {
    pub results: TestResults,
    /// Those that it told of.
    pub failures: Vec<TestFailure>,
    /// Those that it only named.
    pub listed: Vec<String>,
    /// So many more, of which neither was kept.
    pub left_out: u64,
}

#[derive(Debug)]
pub enum Told<'a> {
    /// Its own, or a failed test's.
    Kept,
    /// None that it knows; of a line that begins with the test that runs, what follows.
    Loose(&'a str),
    /// The last one of a binary.
    Ended(Box<Run>),
}

/// Names of failed tests that are held of one binary: beyond, headings are believed as they come.
pub const NAMES_MAX: usize = 4096;

/// Reads `test result: FAILED. 1 passed; 10 failed; 1 ignored; 0 measured; 0 filtered out; finished in
/// 0.16s`.
pub fn totals(line: &str) -> Option<TestResults> {
    let (_, rest) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let (told, finished) = rest.split_once("; finished in ").unwrap_or((rest, ""));
    let mut results = TestResults::default();
    for (word, count) in counts(&told.replace("; ", ", "))? {
        match word {
            "passed" | "measured" => results.passed = results.passed.saturating_add(count),
            "failed" => results.failed = count,
            "ignored" => results.skipped = Some(count),
            _ => {}
        }
    }
    results.total = total(&results);
    results.duration_ms = milliseconds(finished);
    Some(results)
}
