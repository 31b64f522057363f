//! A failed test, as reports of several kinds tell of it part by part.

use super::failures::{Frame, MESSAGE_BYTES, STACK_BYTES, by_message, by_name};
use super::text::KeptText;
use super::{is_own, place};
use crate::event::{ErrorType, SourceLocation, TestFailure};

/// Where in a point's block of YAML it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// None began: lines further in than the point are its message.
    Before(usize),
    /// Behind `---`; keys are indented so far, once one was seen.
    Keys(Option<usize>),
    Message(usize),
    Stack(usize),
    /// A text, or a list, that is not looked at.
    Other(usize),
}

impl Default for Block {
    fn default() -> Self {
        Self::Before(usize::MAX)
    }
}

/// YAML's quotes off.
fn unquoted(value: &str) -> String {
    let within = |quote: char| value.strip_prefix(quote).and_then(|it| it.strip_suffix(quote));
    match (within('\''), within('"')) {
        (Some(inner), _) => inner.replace("''", "'").replace("\\'", "'"),
        (_, Some(inner)) => inner.replace("\\\"", "\""),
        _ => value.to_owned(),
    }
}

/// What is known of it so far.
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

    /// A line of its own behind it, where no block tells more.
    pub fn said(&mut self, bare: &str) {
        match bare.strip_prefix("at ") {
            Some(frame) => self.stack.line(frame),
            None => self.message.line(bare),
        }
    }

    /// A key of its block: what the lines behind it are.
    pub fn key(&mut self, keys: usize, bare: &str) -> Block {
        let Some((key, value)) = bare.split_once(':') else { return Block::Keys(Some(keys)) };
        let value = value.trim();
        let (is_text, is_map) = (value.starts_with(['|', '>']), value.is_empty());
        let text = unquoted(value);
        match key {
            "error" | "message" if is_text => return Block::Message(keys),
            "stack" if is_text || is_map => return Block::Stack(keys),
            _ if is_text => return Block::Other(keys),
            _ if is_map => {}
            "error" | "message" => self.message.line(&text),
            "location" | "at" => self.at = Some(text),
            "name" => self.error = Some(text),
            "failureType" => self.is_suite |= text == "subtestsFailed",
            "type" => self.is_suite |= text == "suite",
            "expected" | "wanted" => self.expected = Some(text),
            "actual" | "found" => self.actual = Some(text),
            _ => {}
        }
        Block::Keys(Some(keys))
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
        // `Test.<anonymous> (/w/cart.js:5:5)`
        let at = self.at.as_deref().map(|at| at.rsplit_once(" (").map_or(at, |it| it.1));
        let test = at.map(|it| it.trim_start_matches("file://")).and_then(place);
        // Where nothing tells the test's own place, its code's does.
        let own = source.clone().filter(|_| test.is_none()).unwrap_or_default();
        TestFailure {
            test_name: self.name,
            test_file: test.map(|(file, _, _)| file.to_owned()).or(own.file),
            test_line: test.map(|(_, line, _)| line).or(own.line),
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
    Some(Frame::new(function.filter(|it| !it.contains('<')), file, line).location())
}
