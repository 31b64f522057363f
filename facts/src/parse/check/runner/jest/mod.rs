//! What jest prints.

mod report;

use crate::event::{ErrorType, SourceLocation, TestFailure};
use crate::parse::check::runner::failures::{
    Frame, MESSAGE_BYTES, STACK_BYTES, VALUE_BYTES, by_message, by_name, named,
};
use crate::parse::check::runner::text::KeptText;
use crate::parse::check::runner::{is_own, place};
use crate::parse::has_word;

pub use report::Jest;

#[derive(Debug)]
pub struct Block {
    file: Option<String>,
    /// The describe blocks and the test, with ` › ` between them; `None`: the file as a whole.
    name: Option<String>,
    message: KeptText,
    stack: KeptText,
    frames: Vec<Frame>,
    /// The line of an excerpt that `>` points to.
    pointed: Option<i64>,
    /// The excerpt or the stack has begun.
    is_told: bool,
    syntax: Option<String>,
}

const FRAMES_MAX: usize = 64;
/// What `Expected` and `Received` may be told of: `Expected length: 3`.
const EXPECTED: &str = "value length substring pattern constructor";
const RECEIVED: &str = "value array set object length string constructor message";

impl Block {
    pub fn new(file: Option<String>, name: Option<&str>) -> Self {
        Self {
            file,
            name: name.map(str::to_owned),
            message: KeptText::new(MESSAGE_BYTES),
            stack: KeptText::new(STACK_BYTES),
            frames: Vec::new(),
            pointed: None,
            is_told: false,
            syntax: None,
        }
    }

    pub fn line(&mut self, line: &str) {
        let bare = line.trim_start();
        if bare.starts_with("at ") && line.starts_with("     ") {
            self.is_told = true;
            self.stack.line(bare);
            self.frame(bare.get(3..).unwrap_or(""));
        } else if let Some(pointed) = excerpt(bare) {
            self.is_told = true;
            self.pointed = self.pointed.or(pointed);
        } else if !self.is_told {
            let line = line.strip_prefix("    ").unwrap_or(line);
            if line.starts_with("SyntaxError: ") {
                self.syntax = Some(line.to_owned());
            }
            self.message.line(line);
        }
    }

    /// `total (cart.js:3:11)`, `test/cart.test.js:3:11`.
    fn frame(&mut self, text: &str) {
        let (function, at) = match text.rsplit_once(" (") {
            Some((function, at)) => (Some(function), at),
            None => (None, text),
        };
        let Some((file, line, _)) = place(at) else { return };
        let function = function.map(|it| it.strip_prefix("Object.").unwrap_or(it));
        let function = function.filter(|it| !it.contains('<'));
        if self.frames.len() < FRAMES_MAX && is_own(file) {
            self.frames.push(Frame::new(function, file, line));
        }
    }

    pub fn finish(mut self) -> TestFailure {
        // Of several projects each has a root of its own.
        for Frame { file, .. } in &mut self.frames {
            if let Some(tests) = self.file.as_deref().filter(|it| below(it, file)) {
                tests.clone_into(file);
            }
        }
        let told = self.message.finish().unwrap_or_default();
        let message = self.syntax.clone().unwrap_or_else(|| told.clone());
        let in_tests = |file: &str| self.file.as_deref().is_some_and(|it| file.ends_with(it));
        let test = self.frames.iter().find(|it| in_tests(&it.file));
        let source = self.frames.first();
        let (expected, actual) = compared(&told);
        // A file that could not be read names the place in the message.
        let syntax = self.syntax.as_deref().and_then(|it| it.split_once(": ")).map(|it| it.1);
        let file = syntax.and_then(|it| it.split_once(": ")).map(|it| it.0.to_owned());
        // Told from the root of the disk, where the heading tells the file in the project.
        let tested =
            self.file.clone().filter(|it| file.as_ref().is_some_and(|file| below(file, it)));
        let file = tested.or(file);
        let source_location = match (source, file) {
            (None, Some(file)) => {
                Some(SourceLocation { file: Some(file), line: self.pointed, function: None })
            }
            (source, _) => source.map(|it| SourceLocation {
                // In the tests themselves jest names what was called there: `toBe`.
                function: it.function.clone().filter(|_| !in_tests(&it.file)),
                ..it.location()
            }),
        };
        TestFailure {
            test_name: self.name.or_else(|| self.file.clone()).unwrap_or_else(|| "jest".to_owned()),
            test_line: test.map(|it| it.line),
            test_file: self.file,
            error_type: kind(&message),
            error_message: if message.is_empty() { "failed".to_owned() } else { message },
            stack_trace: self.stack.finish(),
            expected,
            actual,
            source_location,
        }
    }
}

/// Whether a path ends with that one.
fn below(file: &str, end: &str) -> bool {
    file.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// A line of code that is shown: `> 12 |   expect(…`, `     |   ^`. `Some(Some(12))` where it is pointed to.
fn excerpt(bare: &str) -> Option<Option<i64>> {
    let (head, _) = bare.split_once('|')?;
    let pointed = head.starts_with('>');
    let number = head.trim_start_matches('>').trim();
    match number.parse() {
        Ok(line) => Some(pointed.then_some(line)),
        Err(_) => number.is_empty().then_some(None),
    }
}

fn kind(message: &str) -> ErrorType {
    let first = message.lines().next().unwrap_or("");
    if first.starts_with("expect(") || first.starts_with("assert") {
        return ErrorType::AssertionError;
    }
    if let Some((name, _)) = named(first) {
        return match by_name(name) {
            ErrorType::RuntimeError => by_message(first).unwrap_or(ErrorType::RuntimeError),
            known => known,
        };
    }
    if first.starts_with("Cannot find module") || first.starts_with("Could not locate module") {
        return ErrorType::ReferenceError;
    }
    by_message(message).unwrap_or_else(|| {
        // An `Error` is told without its name; a custom message of `expect` too.
        let is_compared = message.contains("\nExpected") || message.contains("\n- Expected");
        if is_compared { ErrorType::AssertionError } else { ErrorType::RuntimeError }
    })
}

/// `Expected: 16` and `Received: 15`, or the two sides of a difference: (expected, actual).
fn compared(message: &str) -> (Option<String>, Option<String>) {
    let value = |begin: &str, kinds: &str| {
        message.lines().find_map(|line| {
            let (of, value) = line.strip_prefix(begin)?.split_once(": ")?;
            let is_told = of.strip_prefix(' ').is_some_and(|of| has_word(kinds, of));
            (of.is_empty() || is_told).then_some(value)
        })
    };
    let told = (value("Expected", EXPECTED), value("Received", RECEIVED));
    if let (Some(expected), received) = told {
        return (Some(expected.to_owned()), received.map(str::to_owned));
    }
    let mut lines = message.lines();
    let differs = |line: &str| line.starts_with("- Expected") || line.starts_with("+ Received");
    if !lines.by_ref().any(|line| line.starts_with("- Expected")) {
        return (None, told.1.map(str::to_owned));
    }
    let (mut expected, mut actual) = (KeptText::new(VALUE_BYTES), KeptText::new(VALUE_BYTES));
    for line in lines.filter(|line| !differs(line)) {
        let rest = line.get(2..).unwrap_or("");
        if line.starts_with("- ") {
            expected.line(rest);
        } else if line.starts_with("+ ") {
            actual.line(rest);
        } else {
            expected.line(rest);
            actual.line(rest);
        }
    }
    (expected.finish(), actual.finish())
}
