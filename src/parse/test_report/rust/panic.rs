//! A panic, as the standard hook prints it.

use crate::parse::test_report::bounded_text::KeptText;
use crate::parse::test_report::limits::{MESSAGE_BYTES, STACK_BYTES};
use crate::parse::test_report::{is_own, place};

/// A panic: where, what it said, and the backtrace where there is one.
#[derive(Debug)]
pub struct Panic {
    pub thread: String,
    pub file: Option<String>,
    pub line: Option<i64>,
    pub message: KeptText,
    pub stack: KeptText,
    /// The function of the place that panicked, and the place of a function: (name, file, line).
    frames: Vec<(String, String, i64)>,
    frame: Option<String>,
    part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Message,
    Stack,
    Over,
}

/// Frames of the project's own code that are kept.
const FRAMES_MAX: usize = 32;

impl Panic {
    /// Reads `thread 'x' (12) panicked at src/lib.rs:20:14:`, and the older `… at 'message', src/lib.rs:20:14`.
    pub fn begin(line: &str) -> Option<Self> {
        let rest = line.strip_prefix("thread '")?;
        let (head, at) = rest.split_once(" panicked at ")?;
        let thread = head.rsplit_once('\'').map_or(head, |(thread, _)| thread);
        let mut message = KeptText::new(MESSAGE_BYTES);
        let mut part = Part::Message;
        let at = match at.strip_prefix('\'').and_then(|it| it.rsplit_once("', ")) {
            Some((said, at)) => {
                message.line(said);
                part = Part::Stack;
                at
            }
            None => at,
        };
        let place = place(at);
        Some(Self {
            thread: thread.to_owned(),
            file: place.map(|(file, _, _)| file.to_owned()),
            line: place.map(|(_, line, _)| line),
            message,
            stack: KeptText::new(STACK_BYTES),
            frames: Vec::new(),
            frame: None,
            part,
        })
    }

    /// Takes the line after; false where it is none of this panic's any more.
    pub fn line(&mut self, line: &str) -> bool {
        match self.part {
            Part::Over => return false,
            _ if line == "stack backtrace:" => self.part = Part::Stack,
            _ if line.starts_with("note: ") => {
                self.part = Part::Over;
                return line.contains("RUST_BACKTRACE");
            }
            Part::Message => self.message.line(line),
            Part::Stack if line.starts_with(' ') => {
                self.stack.line(line);
                self.frame(line.trim_start());
            }
            Part::Stack => {
                self.part = Part::Over;
                return false;
            }
        }
        true
    }

    /// The function that is at the place, by the backtrace.
    pub fn function_at(&self, file: &str, line: i64) -> Option<&str> {
        let found = self.frames.iter().find(|(_, at, number)| at == file && *number == line);
        found.map(|(name, _, _)| name.as_str())
    }

    /// The place of a function, by the backtrace.
    pub fn place_of(&self, test: &str) -> Option<(&str, i64)> {
        let is_it = |name: &str| {
            name.strip_suffix(test)
                .is_some_and(|before| before.is_empty() || before.ends_with("::"))
        };
        let found = self.frames.iter().find(|(name, _, _)| is_it(name));
        found.map(|(_, file, line)| (file.as_str(), *line))
    }

    /// The first place of the project's own code.
    pub fn first_own(&self) -> Option<(&str, i64)> {
        self.frames.first().map(|(_, file, line)| (file.as_str(), *line))
    }

    /// `5: cart::first`, then `at ./src/lib.rs:20:14`.
    fn frame(&mut self, line: &str) {
        if let Some(at) = line.strip_prefix("at ") {
            let (Some(name), Some((file, number, _))) = (self.frame.take(), place(at)) else {
                return;
            };
            if is_own(file) && self.frames.len() < FRAMES_MAX {
                let file = file.strip_prefix("./").unwrap_or(file);
                self.frames.push((name, file.to_owned(), number));
            }
        } else if let Some((number, name)) = line.split_once(": ") {
            let is_frame = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
            self.frame = is_frame.then(|| name.to_owned());
        }
    }
}
