//! What `go test` prints.

mod package;
mod report;

use crate::event::{ErrorType, TestFailure};
use crate::parse::check::cause::NOT_BUILT;
use crate::parse::check::runner::failures::{Frame, MESSAGE_BYTES, STACK_BYTES, failure};
use crate::parse::check::runner::text::KeptText;
use crate::parse::check::runner::{is_own, place};

pub use report::{GoTest, is_test};

/// What the compiler says of a package: `# example.com/cart [example.com/cart.test]`, then its errors.
#[derive(Debug)]
pub struct Build {
    package: String,
    text: KeptText,
    place: Option<Frame>,
    message: Option<String>,
}

impl Build {
    pub fn begin(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("# ")?;
        let (package, more) = rest.split_once(' ').unwrap_or((rest, ""));
        let is_package = !package.is_empty() && (more.is_empty() || more.starts_with('['));
        is_package.then(|| Self {
            package: package.to_owned(),
            text: KeptText::new(STACK_BYTES),
            place: None,
            message: None,
        })
    }

    /// Takes the next line; false where it is none of the compiler's.
    pub fn line(&mut self, line: &str) -> bool {
        let line = line.strip_prefix("vet: ").unwrap_or(line);
        let told = place(line).filter(|(file, _, _)| file.ends_with(".go") && !file.contains(' '));
        if let Some((file, number, rest)) = told {
            if self.place.is_none() {
                let file = file.strip_prefix("./").unwrap_or(file);
                self.place = Some(Frame::new(None, file, number));
                self.message = Some(KeptText::cut(message(rest), MESSAGE_BYTES));
            }
        } else if !line.starts_with(['\t', ' ']) && line != "too many errors" {
            return false;
        }
        self.text.line(line);
        true
    }

    pub fn finish(self) -> Option<TestFailure> {
        let error_message = self.message?;
        Some(TestFailure {
            error_type: kind(&error_message),
            error_message,
            stack_trace: self.text.finish(),
            source_location: self.place.as_ref().map(Frame::location),
            ..unbuilt(&self.package)
        })
    }
}

pub fn unbuilt(package: &str) -> TestFailure {
    failure(package, ErrorType::Other, NOT_BUILT)
}

/// `:14: cannot use …` → `cannot use …`.
fn message(rest: &str) -> &str {
    rest.trim_start_matches(|it: char| it == ':' || it.is_ascii_digit()).trim()
}

fn kind(message: &str) -> ErrorType {
    if message.starts_with("cannot use ") || message.contains("mismatched types") {
        ErrorType::TypeError
    } else if message.starts_with("undefined: ") || message.contains(" undefined (") {
        ErrorType::ReferenceError
    } else if message.starts_with("syntax error") || message.starts_with("expected ") {
        ErrorType::SyntaxError
    } else {
        ErrorType::Other
    }
}

/// A panic of a test's process, and the goroutines' frames after it.
#[derive(Debug)]
pub struct Panic {
    pub message: String,
    pub stack: KeptText,
    /// The project's own.
    pub frames: Vec<Frame>,
    function: Option<String>,
    /// `running tests:`, the first of them.
    running: Option<String>,
    is_running: bool,
}

const FRAMES_MAX: usize = 32;

impl Panic {
    pub fn begin(line: &str) -> Option<Self> {
        let message =
            line.strip_prefix("panic: ").or_else(|| line.strip_prefix("fatal error: "))?;
        let message = message.trim_end_matches(" [recovered]").trim_end_matches(", repanicked]");
        Some(Self {
            message: message.to_owned(),
            stack: KeptText::new(STACK_BYTES),
            frames: Vec::new(),
            function: None,
            running: None,
            is_running: false,
        })
    }

    pub fn line(&mut self, line: &str) {
        self.stack.line(line);
        if line.trim_start() == "running tests:" {
            self.is_running = true;
        } else if self.is_running {
            self.is_running = false;
            self.running = line.split_whitespace().next().map(str::to_owned);
        } else if let Some(at) = line.strip_prefix('\t') {
            let (Some(function), Some((file, line, _))) = (self.function.take(), place(at)) else {
                return;
            };
            let foreign = ["testing.", "runtime.", "panic(", "created by ", "main.main"];
            let is_foreign = foreign.iter().any(|it| function.starts_with(it));
            if is_own(file) && !is_foreign && self.frames.len() < FRAMES_MAX {
                self.frames.push(Frame::new(Some(short(&function)), file, line));
            }
        } else {
            self.function = Some(line.to_owned());
        }
    }

    /// The place of a test's own function; of a subtest it is a closure in it.
    pub fn place_of(&self, test: &str) -> Option<&Frame> {
        let top = test.split('/').next().unwrap_or(test);
        self.frames.iter().find(|it| {
            let rest = it.function.as_deref().and_then(|it| it.strip_prefix(top));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// The test that was running, where the panic itself tells.
    pub fn test(&self) -> Option<&str> {
        let named = self.frames.iter().filter_map(|it| it.function.as_deref());
        let mut tests = named.filter(|it| it.starts_with("Test"));
        self.running.as_deref().or_else(|| tests.next().and_then(|it| it.split('.').next()))
    }
}

/// `example.com/cart.(*Cart).First(0xc0000140)` → `(*Cart).First`.
fn short(function: &str) -> &str {
    let function = function.rsplit_once('(').map_or(function, |(name, _)| name);
    let base = function.rsplit('/').next().unwrap_or(function);
    base.split_once('.').map_or(base, |(_, name)| name)
}
