//! What pytest tells of one failure.

use super::{below, class, dedent, error_first, exception, kind};
use crate::event::{ErrorType, SourceLocation, TestFailure};
use crate::parse::check::runner::failures::{Frame, MESSAGE_BYTES, STACK_BYTES, named};
use crate::parse::check::runner::text::{KeptText, sides};
use crate::parse::check::runner::{is_own, place};

#[derive(Debug)]
pub struct Block {
    title: String,
    message: KeptText,
    stack: KeptText,
    /// The exception's name, as the last place has it.
    exception: Option<String>,
    frames: Vec<Frame>,
    /// The function whose code is shown.
    function: Option<String>,
    /// What a test printed follows: none of it is ours.
    is_captured: bool,
    in_error: bool,
    /// `--tb=native`, and what the lines are of.
    native: Option<Native>,
}

/// Where a traceback is, as Python itself prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Native {
    Frames,
    Error,
}

const FRAMES_MAX: usize = 64;

impl Block {
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            message: KeptText::new(MESSAGE_BYTES),
            stack: KeptText::new(STACK_BYTES),
            exception: None,
            frames: Vec::new(),
            function: None,
            is_captured: false,
            in_error: false,
            native: None,
        }
    }

    pub fn is_captured(&self) -> bool {
        self.is_captured
    }

    pub fn line(&mut self, line: &str) {
        if line.starts_with("----") && line.contains(" Captured ")
            || self.native.is_some() && matches!(line, "Stdout:" | "Stderr:")
        {
            self.is_captured = true;
        }
        if self.is_captured {
            return;
        }
        if let Some(line) = line.trim_start().strip_prefix("| ") {
            return self.grouped(line);
        }
        if line == "Traceback (most recent call last):" {
            self.native = Some(Native::Frames);
            return;
        }
        if self.native.is_some() && self.native(line) {
            return;
        }
        if line.starts_with("[XPASS(strict)]") && self.message.is_empty() {
            self.message.line(line.trim());
        }
        let is_error = line == "E" || line.starts_with("E   ");
        if is_error {
            if !self.in_error {
                self.message.clear(); // one that led to this one
            }
            self.message.line(line.get(4..).unwrap_or(""));
        }
        self.in_error = is_error;
        let bare = line.trim_start_matches('>').trim_start();
        if let Some(frame) = self.place(line) {
            self.called(line, frame);
            self.function = None;
        } else if self.function.is_none()
            && let Some(rest) =
                bare.strip_prefix("def ").or_else(|| bare.strip_prefix("async def "))
        {
            self.function = rest.split('(').next().map(str::to_owned);
        }
    }

    fn called(&mut self, line: &str, frame: Frame) {
        self.stack.line(line);
        if self.frames.len() < FRAMES_MAX {
            self.frames.push(frame);
        }
    }

    /// A line of a traceback as Python itself prints it; false where it is its end.
    fn native(&mut self, line: &str) -> bool {
        if line.starts_with("  ") && self.native == Some(Native::Frames) {
            if let Some(frame) = self.place(line) {
                self.called(line, frame);
            }
        } else if line.starts_with("The above exception was the direct cause")
            || line.starts_with("During handling of the above exception")
            || line.is_empty() && self.native == Some(Native::Frames)
        {
            self.native = None;
            return false;
        } else if self.native == Some(Native::Frames) {
            self.native = Some(Native::Error);
            self.exception = exception(line).map(str::to_owned);
            self.message.clear(); // one that led to this one
            self.message.line(line);
        } else {
            self.message.line(line);
        }
        true
    }

    /// A line of an exception group: `|   File "a.py", line 3, in x`, `| ExceptionGroup: two (2
    /// sub-exceptions)`, and those below.
    fn grouped(&mut self, line: &str) {
        if let Some(frame) = self.place(line) {
            self.called(line, frame);
        } else if !line.starts_with(' ') && !line.starts_with("Traceback ") {
            if self.message.is_empty() {
                self.exception = exception(line).map(str::to_owned);
                self.message.line(line);
            } else {
                self.message.line(&format!("  {line}"));
            }
        }
    }

    /// `tests/test_cart.py:14: AssertionError`, `cart.py:6: in total`, `tests/test_cart.py:23: `, and the
    /// native `  File "/a/b.py", line 6, in total`.
    fn place(&mut self, line: &str) -> Option<Frame> {
        let trimmed = line.strip_prefix("E").unwrap_or(line).trim_start();
        if let Some(rest) = trimmed.strip_prefix("File \"") {
            let (file, rest) = rest.split_once("\", line ")?;
            let (number, function) = rest.split_once(", in ").unwrap_or((rest, ""));
            let function = Some(function).filter(|it| !it.is_empty());
            return Some(Frame::new(function, file, number.trim().parse().ok()?));
        }
        if !line.starts_with(|it: char| it.is_alphanumeric() || "/._<".contains(it)) {
            return None;
        }
        let (file, number, rest) = place(line)?;
        if file.contains(' ') || line.starts_with("E  ") {
            return None;
        }
        let rest = rest.strip_prefix(':')?.trim();
        let mut function = self.function.clone();
        if let Some(name) = rest.strip_prefix("in ") {
            function = Some(name.to_owned());
        } else if !rest.is_empty() {
            let is_name = |it: char| it.is_alphanumeric() || matches!(it, '_' | '.');
            if !rest.chars().all(is_name) {
                return None;
            }
            self.exception = Some(rest.to_owned());
        }
        Some(Frame { file: file.to_owned(), line: number, function })
    }

    /// The failure. Paths are as they were printed, but for what is below `root`.
    pub fn finish(self, root: Option<&str>) -> TestFailure {
        let below = |file: &str| below(root, file);
        let own = |frame: &&Frame| is_own(&frame.file) && !below(&frame.file).starts_with("../");
        let source = self.frames.iter().rev().find(own);
        let called = self.title.split(['[', ' ']).next().unwrap_or(&self.title);
        let called = called.rsplit('.').next().unwrap_or(called);
        let (name, test) = match self.title.strip_prefix("ERROR collecting ") {
            Some(file) => (file, None),
            None => {
                let name =
                    self.title.split_once(" of ").map_or(self.title.as_str(), |(it, name)| {
                        if it.starts_with("ERROR at ") { name } else { &self.title }
                    });
                let own_frame =
                    |it: &&Frame| own(it) && it.function.as_deref().is_some_and(|it| it == called);
                let is_test = |it: &&Frame| {
                    let file = it.file.rsplit('/').next().unwrap_or(&it.file);
                    own(it) && (file.starts_with("test_") || file.ends_with("_test.py"))
                };
                let found = self.frames.iter().find(own_frame);
                (name, found.or_else(|| self.frames.iter().find(is_test)))
            }
        };
        let is_collected = self.title.starts_with("ERROR collecting ");
        let test_file = match (is_collected, test) {
            (true, _) => Some(name.to_owned()),
            (false, test) => test.map(|it| below(&it.file)),
        };
        let message = self.message.finish().unwrap_or_default();
        let message = error_first(dedent(&message));
        let said = message.lines().find_map(named);
        let exception = self.exception.as_deref().or(said.map(|(name, _)| name));
        let exception = exception.or_else(|| class(&message));
        let error_type = kind(exception, &message);
        let compared = message.lines().find_map(|line| {
            let line = line.strip_prefix("AssertionError: ").unwrap_or(line);
            sides(line.trim_start().strip_prefix("assert ")?, " == ")
        });
        let compared = compared.filter(|_| error_type == ErrorType::AssertionError);
        TestFailure {
            test_name: name.to_owned(),
            test_file,
            test_line: test.map(|it| it.line),
            error_type,
            error_message: if message.is_empty() { "failed".to_owned() } else { message.clone() },
            stack_trace: self.stack.finish(),
            expected: compared.map(|(_, right)| right.to_owned()),
            actual: compared.map(|(left, _)| left.to_owned()),
            source_location: source
                .map(|it| SourceLocation { file: Some(below(&it.file)), ..it.location() }),
        }
    }
}
