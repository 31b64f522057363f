//! A panic, as the standard hook prints it.

use crate::parse::check::runner::failures::{Frame, MESSAGE_BYTES, STACK_BYTES};
use crate::parse::check::runner::text::KeptText;
use crate::parse::check::runner::{is_own, place};

#[derive(Debug)]
pub struct Panic {
    pub thread: String,
    pub at: Option<Frame>,
    pub message: KeptText,
    pub stack: KeptText,
    /// The project's own.
    pub frames: Vec<Frame>,
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
        Some(Self {
            thread: thread.to_owned(),
            at: place(at).map(|(file, line, _)| Frame::new(None, file, line)),
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
    pub fn function_at(&self, at: &Frame) -> Option<String> {
        let found = self.frames.iter().find(|it| it.file == at.file && it.line == at.line);
        found.and_then(|it| it.function.clone())
    }

    /// The place of a function, by the backtrace.
    pub fn place_of(&self, test: &str) -> Option<&Frame> {
        self.frames.iter().find(|it| {
            let name = it.function.as_deref().and_then(|it| it.strip_suffix(test));
            name.is_some_and(|before| before.is_empty() || before.ends_with("::"))
        })
    }

    /// `5: cart::first`, then `at ./src/lib.rs:20:14`.
    fn frame(&mut self, line: &str) {
        if let Some(at) = line.strip_prefix("at ") {
            let (Some(name), Some((file, number, _))) = (self.frame.take(), place(at)) else {
                return;
            };
            if is_own(file) && self.frames.len() < FRAMES_MAX {
                let file = file.strip_prefix("./").unwrap_or(file);
                self.frames.push(Frame::new(Some(&name), file, number));
            }
        } else if let Some((number, name)) = line.split_once(": ") {
            let is_frame = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
            self.frame = is_frame.then(|| name.to_owned());
        }
    }
}
