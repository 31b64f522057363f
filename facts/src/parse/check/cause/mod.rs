//! What went wrong, so that it is known again: the *cause* of a failure, without what differs from one time to
//! the next. In the manner of error trackers: the tool, its code or the exception's type, the message with names,
//! literals, paths and numbers masked by their kind, and the place.
//!
//! A cause is *general* where what is said tells by itself what is wrong (a compiler's message, an exception's);
//! it is met anywhere. What an assertion says tells only together with the test that says it.

mod names;
mod template;

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::CheckReport;
use super::diagnostic::{Diagnostic, Finding};
use super::telling::{assertion, without_more};
use crate::event::{ErrorType, TestFailure};
pub use names::{is_nameless, likeness, names_in};
use template::template;

/// Of one failure, so many are told apart.
pub const CAUSES_MAX: usize = 16;
/// Changes whenever a failure would get another key; stored causes are made anew then.
pub const VERSION: u8 = 3;

/// Exceptions that say no more than that something was not as a test wanted it.
const ASSERTIONS: [&str; 9] = [
    "AssertionError",
    "AssertionFailedError",
    "AssertionFailure",
    "ComparisonFailure",
    "ExpectationNotMetError",
    "JestAssertionError",
    "Failed",
    "Error",
    "Exception",
];
/// Beginnings of messages that say that there is more.
const SAY_NOTHING: [&str; 4] =
    ["too many errors", "compilation failed", "could not compile", "aborting due to"];
/// What is said of a package whose compiler nobody heard: nothing of why.
pub const NOT_BUILT: &str = "the package was not built";
/// Beginnings of what a program is ended by.
const ENDED_BY: [&str; 5] = [
    "Assertion `",
    "Segmentation fault",
    "Bus error",
    "Floating point exception",
    "Illegal instruction",
];
const PLACE_BYTES_MAX: usize = 300;
/// Words of a message by which it tells more than that something failed.
const WORDS_MIN: usize = 2;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// `go undefined: <name>`, `NameError name <text> is not defined`.
    pub kind: String,
    /// The file it comes from, else the test; from where the check looked.
    pub place: Option<String>,
    /// Whether it is met elsewhere too.
    pub is_general: bool,
    /// The names that were masked, in their order, each behind a blank.
    pub names: String,
    /// A test ran and failed with it.
    #[serde(skip)]
    pub is_of_test: bool,
    /// The line of code that it was found at, as far as that is told: file and number.
    #[serde(skip)]
    pub at: Option<(String, u32)>,
}

impl Cause {
    /// Whether nothing is known of what is wrong but that a test failed.
    pub fn says_nothing(&self) -> bool {
        self.kind == "AssertionError failed"
    }

    /// Two failures with the same key have the same cause: sixteen bytes of blake3.
    pub fn key(&self) -> [u8; 16] {
        let place = self.place.as_deref().filter(|_| !self.is_general);
        let mut hash = blake3::Hasher::new_derive_key("annals cause");
        hash.update(&[VERSION]);
        for part in [Some(self.kind.as_str()), place].into_iter().flatten() {
            hash.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
        let mut key = [0; 16];
        key.copy_from_slice(&hash.finalize().as_bytes()[..16]);
        key
    }

    /// The causes of a failure, each once, in the order in which they were told. Of what was no check, and
    /// of a check that nobody understood, what its telling line says.
    pub fn of(
        report: Option<&CheckReport>,
        diagnostics: &[Diagnostic],
        telling: Option<&str>,
    ) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut add = |one: Self| {
            if all.len() < CAUSES_MAX && all.iter().all(|it| it.key() != one.key()) {
                all.push(one);
            }
        };
        let failures = report.map(|it| it.failures.as_slice()).unwrap_or_default();
        let findings = report.map(|it| it.findings.as_slice()).unwrap_or_default();
        let errs = |it: &Diagnostic| it.level == "error";
        let has_errors = diagnostics.iter().any(errs) || !failures.is_empty();
        let counts = |it: &Diagnostic| {
            let says_nothing = SAY_NOTHING.iter().any(|no| it.message.trim().starts_with(no));
            (errs(it) || !has_errors) && !says_nothing
        };
        match findings.is_empty() {
            true => diagnostics.iter().filter(|it| counts(it)).for_each(|it| {
                add(Self::of_finding(tool_of(it), it));
            }),
            false => findings.iter().filter(|it| counts(&it.diagnostic)).for_each(|it| {
                add(Self::of_finding(tool(it), &it.diagnostic));
            }),
        }
        failures.iter().for_each(|it| add(Self::of_test(it)));
        if all.is_empty() {
            all.extend(telling.and_then(Self::of_line));
        }
        all
    }

    fn of_finding(tool: &str, told: &Diagnostic) -> Self {
        let code = told.code.as_deref().filter(|it| *it != "typecheck");
        let (message, names) = template(&told.message, true);
        let kind = [Some(tool), code, Some(message.as_str())];
        let kind: Vec<&str> = kind.into_iter().flatten().filter(|it| !it.is_empty()).collect();
        let at = told.file_name.clone().zip(told.line_start);
        // A program that a check ran ended itself: of what, its own place tells alone.
        if ENDED_BY.iter().any(|it| told.message.starts_with(it)) {
            let (kind, place) = (told.message.clone(), told.file_name.as_deref().map(place));
            return Self { kind, place, is_of_test: true, at, ..Self::default() };
        }
        let place = told.file_name.as_deref().map(place);
        let kind = kind.join(" ");
        Self { kind, place, is_general: true, names, is_of_test: false, at }
    }

    pub fn of_test(failure: &TestFailure) -> Self {
        let test = failure.test_name.as_str();
        let is_logged = failure.test_file.as_deref().is_some_and(|it| it.ends_with(".go"));
        let message = is_logged.then(|| spoken(&failure.error_message)).flatten();
        let message = message.or_else(|| assertion(&failure.error_message)).unwrap_or_default();
        let source = failure.source_location.as_ref().and_then(|it| it.file.as_deref());
        let exception = thrown(&message);
        // Its type may be told beside the message alone.
        let (kind, said) = exception.unwrap_or((failure.error_type.as_str(), &message));
        let (said, names) = template(said, false);
        let kind = format!("{kind} {said}");
        let file = failure.test_file.as_deref();
        let is_general = exception.is_some() || tells(failure.error_type, &said);
        // Raised by a helper that many tests call, it is one cause and not many.
        let is_helper = source.is_some_and(|it| file.is_some_and(|file| file != it))
            && failure.error_type != ErrorType::AssertionError;
        let place = match is_general {
            true => source.or(file).map(place),
            false => Some(source.filter(|_| is_helper).map_or_else(|| place(test), place)),
        };
        let line = failure.source_location.as_ref().and_then(|it| it.line);
        let at = source.map(str::to_owned).zip(line.and_then(|it| u32::try_from(it).ok())); // else none
        Self { kind, place, is_general, names, is_of_test: has_run(failure), at }
    }

    /// What a program said last that was no check: an exception with its message.
    fn of_line(line: &str) -> Option<Self> {
        let line = without_more(line);
        let (exception, said) = thrown(line)?;
        let (said, at) = match said.rsplit_once(" (") {
            Some((said, at)) if at.ends_with(')') && at.contains(':') => (said, Some(at)),
            _ => (said, None),
        };
        let at = at.map(|it| place(it.trim_end_matches(')').split(':').next().unwrap_or(it)));
        let (said, names) = template(said, false);
        let kind = format!("{exception} {said}");
        Some(Self { kind, place: at, is_general: true, names, ..Self::default() })
    }
}

/// Whether a test ran: what was not built or not loaded is told under its package's or its file's name.
pub fn has_run(failure: &TestFailure) -> bool {
    let (test, message) = (failure.test_name.as_str(), failure.error_message.as_str());
    let is_file = failure.test_file.as_deref() == Some(test) || test.ends_with(".py");
    let source = failure.source_location.as_ref().and_then(|it| it.file.as_deref());
    let is_built = failure.test_file.is_some()
        || !source.is_some_and(|it| it.ends_with(".go"))
        || message.starts_with("panic: ");
    let is_loaded = failure.error_type != ErrorType::SyntaxError && !test.contains("_FailedTest");
    !is_file && is_built && is_loaded && message != NOT_BUILT
}

/// Whether a failure's type and what is left of its message tell what is wrong wherever it is met.
fn tells(of: ErrorType, said: &str) -> bool {
    let is_told =
        !matches!(of, ErrorType::AssertionError | ErrorType::TimeoutError | ErrorType::Other);
    let is_word = |it: &&str| it.len() > 2 && it.bytes().all(|it| it.is_ascii_alphabetic());
    is_told && said.split_whitespace().filter(is_word).count() >= WORDS_MIN
}

/// The tool by which a cause is known: of one that many programs have in them, its own name.
fn tool(found: &Finding) -> &str {
    match found.diagnostic.code.as_deref() {
        Some("typecheck") => "go",
        _ => found.tool.as_str(),
    }
}

/// Recorded diagnostics do not say whose they are.
fn tool_of(told: &Diagnostic) -> &'static str {
    let is_rust = told.file_name.as_deref().is_some_and(|it| it.ends_with(".rs"));
    if is_rust || told.code.as_deref().is_some_and(is_rust_code) { "rustc" } else { "" }
}

fn is_rust_code(code: &str) -> bool {
    code.len() == 5 && code.starts_with('E') && code[1..].bytes().all(|it| it.is_ascii_digit())
}

/// An exception's type and what it says; `None` of a message that has none, or only says that an assertion
/// failed. A panic is one.
fn thrown(message: &str) -> Option<(&str, &str)> {
    const PANICS: [&str; 2] = ["panic: ", "fatal error: "];
    if let Some(panic) = PANICS.iter().find(|it| message.starts_with(**it)) {
        return Some(("panic", &message[panic.len()..]));
    }
    let (before, said) = message.split_once(':')?;
    // `Error: TypeError: x`, `Uncaught TypeError: x`
    let before = before.strip_prefix("Uncaught ").unwrap_or(before);
    let before = before.split(" [").next().unwrap_or(before);
    let name = before.rsplit(['.', ':', '$']).next().unwrap_or(before);
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '.' || it == '$';
    let is_type = ["Error", "Exception", "Warning", "Exit", "Interrupt", "Throwable"];
    let is_type = is_type.iter().any(|it| name.ends_with(it)) && before.chars().all(is_word);
    if !is_type || name.starts_with(|it: char| it.is_lowercase()) {
        return None;
    }
    if ASSERTIONS.contains(&name) {
        return if name == "Error" || name == "Exception" { thrown(said.trim()) } else { None };
    }
    Some((name, said.trim()))
}

/// Of what a test logged before it failed, the first line that tells of a failure: what was only logged is not told
/// apart.
fn spoken(logged: &str) -> Option<String> {
    const WORDS: [&str; 14] = [
        "xpected", "want", "got ", "should", "must ", "fail", "Fail", "rror", "mismatch", "!=",
        "not ", "cannot", "invalid", "panic",
    ];
    let speaks = |it: &&str| WORDS.iter().any(|word| it.contains(word));
    let is_plain = !logged.trim_start().starts_with("Error Trace:");
    let found = logged.lines().map(str::trim).filter(|_| is_plain).find(speaks)?;
    Some(found.to_owned())
}

/// A place, short and without what leads to it from the top of the disk.
fn place(path: &str) -> String {
    let path = path.trim_start_matches("./");
    super::diagnostic::cut(path, PLACE_BYTES_MAX).to_owned()
}
