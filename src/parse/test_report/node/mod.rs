//! What Node's own test runner prints.

mod report;

use crate::event::{ErrorType, SourceLocation, TestFailure};
use crate::parse::test_report::bounded_text::KeptText;
use crate::parse::test_report::error_kind::{by_message, by_name};
use crate::parse::test_report::limits::{MESSAGE_BYTES, STACK_BYTES};
use crate::parse::test_report::{is_own, place};

pub use report::NodeTest;

/// A failed test, as both of the runner's reports tell of it.
#[derive(Debug)]
pub struct Found {
    pub name: String,
    /// `a.test.mjs:3:1`.
    pub at: Option<String>,
    pub error: Option<String>,
    pub message: KeptText,
    pub stack: KeptText,
    pub expected: Option<String>,
    pub actual: Option<String>,
    /// A suite fails with its tests.
    pub is_suite: bool,
}

impl Found {
    pub fn new(name: &str, at: Option<&str>) -> Self {
        Self {
            name: name.to_owned(),
            at: at.map(str::to_owned),
            error: None,
            message: KeptText::new(MESSAGE_BYTES),
            stack: KeptText::new(STACK_BYTES),
            expected: None,
            actual: None,
            is_suite: false,
        }
    }

    pub fn finish(self) -> TestFailure {
        let message = self.message.finish().unwrap_or_else(|| "failed".to_owned());
        let first = message.lines().next().unwrap_or("");
        let error_type = match self.error.as_deref().map(by_name) {
            Some(ErrorType::RuntimeError) | None => {
                by_message(first).unwrap_or(ErrorType::RuntimeError)
            }
            Some(known) => known,
        };
        let stack = self.stack.finish();
        let source = stack.as_deref().into_iter().flat_map(str::lines).find_map(frame);
        let test = self.at.as_deref().and_then(place);
        TestFailure {
            test_name: self.name,
            test_file: test.map(|(file, _, _)| file.to_owned()),
            test_line: test.map(|(_, line, _)| line),
            error_type,
            error_message: message,
            stack_trace: stack,
            expected: self.expected,
            actual: self.actual,
            source_location: source,
        }
    }
}

/// `TestContext.<anonymous> (file:///a/a.test.mjs:3:23)`, with `at ` before it or without.
fn frame(line: &str) -> Option<SourceLocation> {
    let line = line.trim_start();
    let line = line.strip_prefix("at ").unwrap_or(line);
    let (function, at) = match line.rsplit_once(" (") {
        Some((function, at)) => (Some(function), at),
        None => (None, line),
    };
    let at = at.strip_prefix("file://").unwrap_or(at);
    let (file, line, _) = place(at).filter(|(file, _, _)| is_own(file) && !file.contains(' '))?;
    Some(SourceLocation {
        file: Some(file.to_owned()),
        line: Some(line),
        function: function.filter(|it| !it.contains('<')).map(str::to_owned),
    })
}
