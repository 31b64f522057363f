//! The failures that a report holds, how much is kept of each, and what kinds of error they are.

use super::text::KeptText;
use crate::event::{ErrorType, SourceLocation, TestFailure};

/// Failures that are kept of one report, or of one attempt; those beyond are counted.
pub const FAILURES_MAX: usize = 200;
/// The name of a test, of a pattern, of a function.
pub const NAME_BYTES_MAX: usize = 1 << 10;
pub const MESSAGE_BYTES_MAX: usize = 8 << 10;
pub const STACK_BYTES_MAX: usize = 16 << 10;
/// What an assertion wanted, and what it was given.
pub const VALUE_BYTES_MAX: usize = 4 << 10;
pub const NAME_BYTES: usize = NAME_BYTES_MAX - CUT_BYTES;
pub const MESSAGE_BYTES: usize = MESSAGE_BYTES_MAX - CUT_BYTES;
/// Bytes of a stack trace, and of the output's end where nothing was understood.
pub const STACK_BYTES: usize = STACK_BYTES_MAX - CUT_BYTES;
pub const VALUE_BYTES: usize = VALUE_BYTES_MAX - CUT_BYTES;
/// Bytes of the word on what was cut: with it a text still fits an attempt, and is not cut twice.
pub const CUT_BYTES: usize = 64;
/// Tests whose output is held until it is known how they ended, and packages that are read at once.
pub const PENDING_MAX: usize = 64;

/// The failures that a report holds: as many as fit, each within its bounds; the others are counted.
#[derive(Debug, Default)]
pub struct Failures {
    kept: Vec<TestFailure>,
    left_out: u64,
}

impl Failures {
    pub fn add(&mut self, mut failure: TestFailure) {
        if self.kept.len() == FAILURES_MAX {
            self.left_out += 1;
            return;
        }
        unprefix(&mut failure);
        cut(&mut failure.test_name, NAME_BYTES);
        cut(&mut failure.error_message, MESSAGE_BYTES);
        let values = [&mut failure.expected, &mut failure.actual];
        values.into_iter().flatten().for_each(|it| cut(it, VALUE_BYTES));
        failure.stack_trace.iter_mut().for_each(|it| cut(it, STACK_BYTES));
        let places = [&mut failure.test_file];
        places.into_iter().flatten().for_each(|it| cut(it, NAME_BYTES));
        if let Some(place) = &mut failure.source_location {
            let texts = [&mut place.file, &mut place.function];
            texts.into_iter().flatten().for_each(|it| cut(it, NAME_BYTES));
        }
        self.kept.push(failure);
    }

    /// Counts so many that nothing is known of.
    pub fn leave_out(&mut self, count: u64) {
        self.left_out = self.left_out.saturating_add(count);
    }

    pub fn count(&self) -> u64 {
        self.kept.len() as u64 + self.left_out
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub fn is_full(&self) -> bool {
        self.kept.len() == FAILURES_MAX
    }

    pub fn kept_mut(&mut self) -> &mut [TestFailure] {
        &mut self.kept
    }

    /// What is kept, and how many are not.
    pub fn finish(self) -> (Vec<TestFailure>, u64) {
        (self.kept, self.left_out)
    }
}

/// The type is told beside the message: `TypeError: x` is `x`, as the schema's example has it.
fn unprefix(failure: &mut TestFailure) {
    let message = failure.error_message.strip_prefix(failure.error_type.as_str());
    if let Some(message) = message.and_then(|it| it.strip_prefix(": ")).map(str::trim_start)
        && !message.is_empty()
    {
        failure.error_message = message.to_owned();
    }
}

fn cut(text: &mut String, bytes_max: usize) {
    // What a parser has cut already ends with its word on it.
    if text.len() > bytes_max + CUT_BYTES {
        *text = KeptText::cut(text, bytes_max);
    }
}

/// A failure of which only this is known.
pub fn failure(test_name: &str, error_type: ErrorType, error_message: &str) -> TestFailure {
    TestFailure {
        test_name: test_name.to_owned(),
        test_file: None,
        test_line: None,
        error_type,
        error_message: error_message.to_owned(),
        stack_trace: None,
        expected: None,
        actual: None,
        source_location: None,
    }
}

/// A place in code, as a stack has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    pub function: Option<String>,
    pub file: String,
    pub line: i64,
}

impl Frame {
    pub fn new(function: Option<&str>, file: &str, line: i64) -> Self {
        Self { function: function.map(str::to_owned), file: file.to_owned(), line }
    }

    pub fn location(&self) -> SourceLocation {
        let (file, line) = (Some(self.file.clone()), Some(self.line));
        SourceLocation { file, line, function: self.function.clone() }
    }
}

/// Parts of the names of exceptions, between bars; the first that fits counts. Upper case is as it is.
const NAMES: &[(ErrorType, &str)] = &[
    (ErrorType::AssertionError, "Assert"),
    (ErrorType::TimeoutError, "Timeout|DeadlineExceeded"),
    (ErrorType::TypeError, "TypeError|AttributeError"),
    (
        ErrorType::ReferenceError,
        "ReferenceError|NameError|UnboundLocalError|ImportError|ModuleNotFoundError",
    ),
    (ErrorType::SyntaxError, "SyntaxError|IndentationError|TabError"),
    (ErrorType::NetworkError, "Connect|BrokenPipe|Network|gaierror|HTTPError|URLError|SSLError"),
    (ErrorType::ValidationError, "Validation|ValueError"),
];

/// Parts of messages, in lower case.
const MESSAGES: &[(ErrorType, &str)] = &[
    (
        ErrorType::TimeoutError,
        "timed out|timedout|exceeded timeout|etimedout|deadline exceeded|i/o timeout",
    ),
    (
        ErrorType::NetworkError,
        "connection refused|connectionrefused|econnrefused|econnreset|enotfound\
         |connection reset|no such host|dns error|network is unreachable",
    ),
];

/// By an exception's name: any that is none of the schema's is an error at run time.
pub fn by_name(name: &str) -> ErrorType {
    kind(NAMES, name).unwrap_or(ErrorType::RuntimeError)
}

/// By words of a message that tell of time or of the network.
pub fn by_message(message: &str) -> Option<ErrorType> {
    kind(MESSAGES, &message.to_lowercase())
}

fn kind(table: &[(ErrorType, &str)], text: &str) -> Option<ErrorType> {
    let fits = |parts: &str| parts.split('|').any(|part| text.contains(part));
    table.iter().find(|(_, parts)| fits(parts)).map(|(kind, _)| *kind)
}

/// The exception's name that a line begins with, and what follows its colon: `KeyError: 'a'`.
pub fn named(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.split_once(':').unwrap_or((line, ""));
    let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
    let last = name.rsplit('.').next()?;
    let is_error = name.chars().all(is_name)
        && (last.ends_with("Error")
            || last.ends_with("Exception")
            || last.ends_with("Warning")
            || matches!(last, "Failed" | "Exit" | "KeyboardInterrupt" | "timeout" | "gaierror"));
    is_error.then_some((name, rest.trim_start()))
}
